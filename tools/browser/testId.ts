/** What n8n's own tests find the editor's elements by. */
export const testId = (id: string): string => `[data-test-id="${id}"]`;
