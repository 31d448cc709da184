/** An agent talks to Mayday through MCP tools, and the run reacts; a person's assistant lists runs. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { McpClient } from '../mcp/mcp-client.ts';
import { type Box, inBox } from './box.ts';

const AGENT = resolve(import.meta.dirname, '../mcp/mcp-client.ts');

type Step = readonly [string, object];

/** Runs an agent whose attempts call these tools. */
async function run(box: Box, attempts: readonly (readonly Step[])[], ...options: string[]) {
  const plan = join(box.folder, 'plan.json');
  writeFileSync(plan, JSON.stringify(attempts));
  return await box.call(
    'run',
    ...options,
    '--json',
    'a task',
    '--',
    process.execPath,
    '--no-warnings',
    AGENT,
    box.bin,
    plan,
  );
}

async function ended(box: Box): Promise<Awaited<ReturnType<Box['show']>>> {
  return await box.until('the run ended', async () => {
    const shown = await box.show();
    return shown.state === 'delivered' || shown.state === 'abandoned' ? shown : undefined;
  });
}

it('what an agent tells, notes, saves and asks through MCP reaches the run, and its notes and lessons the next attempt', () =>
  inBox(async (box) => {
    await box.call('context', 'add', '--title', 'Ports', '--guidance', 'Take port 6000 for the database.');
    const [lesson] = JSON.parse((await box.call('context', 'ls', '--json')).stdout) as [{ id: string }];
    await box.call('context', 'approve', lesson.id);
    const asked = await run(
      box,
      [
        [
          ['report_progress', { text: 'half of it' }],
          ['record_note', { text: 'the parser is in lib' }],
          ['search_context', { query: 'which port for the database?' }],
          ['write', { 'a.txt': 'A' }],
          ['checkpoint', { completed: ['a.txt'], created_files: ['a.txt'], next_actions: ['b.txt'] }],
          [
            'raise_blocker',
            { reason: 'two stores fit', question: 'Which store?', options: ['files', 'sqlite'] },
          ],
        ],
        [['write', { 'b.txt': 'B' }]],
      ],
      '--check',
      'test -f a.txt && test -f b.txt',
    );
    expect(asked.exitCode).toBe(3);
    const waiting = JSON.parse(asked.stdout) as Awaited<ReturnType<Box['show']>>;
    expect(waiting).toMatchObject({
      claims: [{ text: 'half of it', recorded: false }, { recorded: false }],
      attempts: [{ notes: ['the parser is in lib'] }],
      partial_work: { completed: ['a.txt'], missing: ['b.txt'] },
      questions: [{ state: 'open', options: [{ id: 'option_1' }, { id: 'option_2' }, {}, {}] }],
    });
    const { stdout: said } = await box.call('logs', waiting.run_id);
    expect(said).toContain('Take port 6000');
    const [question] = waiting['questions'] as [{ id: string }];
    await box.call('answer', question.id, 'option_2');
    expect(await ended(box)).toMatchObject({ state: 'delivered' });
    const { stdout: story } = await box.call('show', waiting.run_id, '--brief');
    expect(story.split('brief of attempt 2')[1]).toContain('the parser is in lib');

    const assistant = new McpClient([process.execPath, box.bin, 'mcp'], {
      ...process.env,
      MAYDAY_HOME: box.home,
    });
    await assistant.open();
    const listed = await assistant.call('list_runs', {});
    expect(listed['structuredContent']).toMatchObject({
      runs: [{ run_id: waiting.run_id, state: 'delivered' }],
    });
    const shown = await assistant.call('show_run', { run: waiting.run_id.slice(0, 3) });
    expect(shown['structuredContent']).toMatchObject({ run_id: waiting.run_id, state: 'delivered' });
    const diagnosed = await assistant.call('diagnose', { output: 'npm ERR! code ENOSPC', exit_code: 1 });
    expect(diagnosed['structuredContent']).toMatchObject({ failure_type: 'resource_exhausted' });
    expect(await assistant.call('autopsy', { path: '/nowhere' })).toMatchObject({ isError: true });
    expect(await assistant.close()).toBe(0);
  }));

it('an agent that asks for a wider scope goes on with it when a person agrees', () =>
  inBox(async (box) => {
    const asked = await run(
      box,
      [
        [['request_scope', { paths: ['db/**'], reason: 'the table needs a column' }]],
        [['write', { 'db/b.sql': 'B', 'src/a.ts': 'A' }]],
      ],
      '--scope',
      'src/**',
      '--check',
      'test -f src/a.ts',
    );
    expect(asked.exitCode).toBe(3);
    const waiting = JSON.parse(asked.stdout) as Awaited<ReturnType<Box['show']>>;
    expect(waiting).toMatchObject({
      scope: { allowed: ['src/**'] },
      questions: [{ kind: 'scope', state: 'open' }],
    });
    const [question] = waiting['questions'] as [{ id: string }];
    await box.call('answer', question.id, 'expand_scope');
    expect(await ended(box)).toMatchObject({
      state: 'delivered',
      scope: { allowed: ['src/**', 'db/**'] },
      delivered: { files: ['db/b.sql', 'src/a.ts'] },
    });
  }));
