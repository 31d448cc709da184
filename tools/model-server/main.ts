/** `node tools/model-server/main.ts SCRIPT.yaml`: serves the script until interrupted; prints its address as JSON. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ModelServer } from './model-server.ts';
import type { ModelScriptInput } from './script.ts';

const file = process.argv[2];
if (file === undefined) {
  console.error('usage: node tools/model-server/main.ts SCRIPT.yaml');
  process.exit(2);
}
const server = await ModelServer.start(parse(readFileSync(file, 'utf8')) as ModelScriptInput);
console.log(JSON.stringify({ url: server.url, requests: `${server.url}/__requests` }));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void server.close().then(() => process.exit(0));
  });
