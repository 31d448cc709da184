import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';

const MAIN = resolve(import.meta.dirname, '../../tools/model-server/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'mayday-model-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('serves a YAML script on its own, tells what it was asked, and ends on SIGTERM', async () => {
  const script = join(folder, 'script.yaml');
  writeFileSync(script, 'rules:\n  - name: greeting\n    reply: {text: hello}\n');
  const child = spawn(process.execPath, [MAIN, script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url, requests } = JSON.parse(line) as { url: string; requests: string };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
  const answer = await fetch(`${url}/v1/messages`, { method: 'POST', body });
  expect(await answer.json()).toMatchObject({ content: [{ text: 'hello' }] });
  expect(await (await fetch(requests)).json()).toMatchObject([
    { number: 1, rule: 'greeting', lastUserText: 'hi' },
  ]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
