/** n8n logs every error of a node; tests that make thousands of them are read without that. */
process.env.N8N_LOG_LEVEL = 'silent';
