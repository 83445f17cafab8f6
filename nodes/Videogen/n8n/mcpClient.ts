import type { IExecuteFunctions } from 'n8n-workflow';
import { executionIdOf } from './execution';

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

/**
 * Whether the node runs for a client of n8n's MCP Server Trigger. n8n runs it in no execution then; in
 * queue mode, 2.41.1 lets a worker run it in the execution of the trigger, and only the context knows
 * which node a tool belongs to.
 */
export const isForMcpClient = (context: Pick<IExecuteFunctions, 'getExecutionId'>): boolean =>
	executionIdOf(context) === undefined ||
	typeOf(Reflect.get(context, 'parentNode')) === MCP_TRIGGER;

const typeOf = (node: unknown): unknown => Reflect.get(Object(node), 'type');
