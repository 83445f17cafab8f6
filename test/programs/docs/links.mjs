import remarkValidateLinks from 'remark-validate-links';

/** For `npm run lint:links`: links to files and headings of this repository have to exist. */
export default { plugins: [[remarkValidateLinks, { repository: false }]] };
