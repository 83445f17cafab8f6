import { PluginKind, declareValuePlugin } from '@stryker-mutator/api/plugin';

/** Properties of n8n's descriptions that hold only text for people, in any words. */
const SHOWN = ['action', 'description', 'displayName', 'hint', 'placeholder'];

const isText = ({ type }) => type === 'StringLiteral' || type === 'TemplateLiteral';

/** A message has a `description` too, beside its `message`; tests read those. */
const isMessage = ({ properties }) => properties.some(({ key }) => key?.name === 'message');

export const strykerPlugins = [
	declareValuePlugin(PluginKind.Ignore, 'shown-texts', {
		shouldIgnore({ node, parent, parentPath }) {
			const isValue = parent?.type === 'ObjectProperty' && parent.value === node;
			if (!isValue || !isText(node) || !SHOWN.includes(parent.key.name)) return undefined;
			return isMessage(parentPath.parent) ? undefined : 'Text that the editor shows';
		},
	}),
];
