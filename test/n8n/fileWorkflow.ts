export { oneAfterTheOther } from './workflows';
