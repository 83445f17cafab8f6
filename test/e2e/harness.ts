export { startTestbed, type Testbed } from './beds/testbed';
