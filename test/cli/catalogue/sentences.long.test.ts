/** The catalogue of sentences: what every command says with nothing there, to a mistake, and when all went well. `npx vitest run FILE --update` writes it anew. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { type Box, inBox } from '../../e2e/box.ts';

/** They serve until they are ended: a test of their own tells what they say. */
const STAYS = ['serve', 'mcp', 'bench', 'drill', 'work', 'attach'];
/** What these say is about this machine. */
const LOCAL = ['doctor'];
/** A home without a session of an agent and without a terminal. */
const QUIET = { TZ: 'UTC', COLUMNS: '80', NO_COLOR: '1', CI: 'true', USER: 'ann' };
const AT_ONCE = 3;

/** Times, places and names of this machine are not the point. */
function steady(box: Box, text: string): string {
  return (
    text
      .replaceAll(box.folder, '/BOX')
      .replaceAll(process.cwd(), '/MAYDAY')
      .replaceAll(/\b\d\d:\d\d(:\d\d)?\b/g, 'HH:MM')
      .replaceAll(/\b\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, 'DATE')
      .replaceAll(/\b\d+(?:\.\d+)? (s|m|h)\b( \d+ s)?/g, 'N s')
      .replaceAll(/\b[0-9a-f]{7,64}\b/g, 'HASH')
      .replaceAll(/\b\d+(\.\d+)? (B|[kMG]B|[KMG]iB)\b/g, 'SIZE')
      .replaceAll(/127\.0\.0\.1:\d+\/\S*/g, '127.0.0.1:PORT/LINK')
      .replaceAll(/\b(port|--port|process) \d+/g, '$1 N')
      .replaceAll(/^.*(\(mayday doctor\)|not contained:|takes a while).*\n/gm, '')
      // The width of a column follows what was replaced.
      .replaceAll(/^.*(?:N s ago|PROGRESS| complete |^passed|^FAILED).*$/gm, (line) =>
        line.replaceAll(/ {2,}/g, '  '),
      )
  );
}

async function said(box: Box, lines: readonly (readonly string[])[]): Promise<string> {
  const told: string[] = [];
  const left = [...lines.entries()];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, args] = next;
      const { exitCode, stdout, stderr } = await box.start(args, { env: { ...QUIET, HOME: box.folder } })
        .done;
      told[at] = `$ mayday ${steady(box, args.join(' '))}\n${steady(box, stdout + stderr)}[${exitCode}]\n`;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return told.join('\n');
}

const spoken = COMMANDS.filter(({ name }) => !STAYS.includes(name) && !LOCAL.includes(name));

it('with nothing there', () =>
  inBox(async (box) => {
    const bare = spoken.filter(({ takes: { min } }) => min === 0).map(({ name }) => name);
    const asks = bare.filter(
      (name) => !['run', 'submit', 'init', 'diagnose', 'report', 'sync'].includes(name),
    );
    await expect(
      await said(box, [
        ...[...asks, 'submit', 'attach', 'mcp'].map((name) => [name]),
        ['work', '--until-idle'],
      ]),
    ).toMatchFileSnapshot('empty.txt');
  }));

it('to a mistake', () =>
  inBox(async (box) => {
    const named = spoken
      .filter(({ takes: { usage } }) => /^\[?RUN\b/.test(usage))
      .map(({ name }) => [name, 'nobody']);
    const missing = spoken.filter(({ takes: { min } }) => min > 0).map(({ name }) => [name]);
    const option = spoken.slice(0, 3).map(({ name }) => [name, '--jsno']);
    const others = [
      ['rnu'],
      ['isnpect'],
      ['stpo'],
      ['run', 'x'],
      ['run', '--agent', 'nobody', 'x'],
      ['run', '--name', 'cannot', '--check', 'no-such-program', 'x', '--', 'true'],
      ['run', '--budget-usd', 'ten', 'x', '--', 'true'],
      ['run', '--budget-usd', '5', 'x', '--', 'true'],
      ['run', '--sink', 'nowhere', 'x', '--', 'true'],
      ['run', '--name', '../x', 'x', '--', 'true'],
      ['answer', 'nobody-q1', '1'],
      ['holds', 'release', 'h9'],
      ['logs', 'x', '--tail', 'many'],
      ['ps', '--state', 'asleep'],
      ['diagnose', 'no-such-file'],
      ['diagnose', '--github', 'x'],
      ['completion', 'tcsh'],
      ['context', 'approve', 'L9'],
      ['replay', '--policy', 'no-such-file'],
      ['serve', '--port', 'high'],
      ['drill', 'nobody'],
      ['drill', '--jobs', '0'],
      ['work', '--concurrency', 'many'],
      ['attach', 'nobody'],
      ['bench', 'x'],
      ['mcp', 'x'],
      ['doctor', 'x'],
    ];
    const starts = (line: readonly string[]) => line[0] === 'run';
    // A run that goes wrong can hold the next one: everything that only asks comes before, then one run after the other.
    const told = [
      await said(
        box,
        [...named, ...missing, ...option, ...others].filter((line) => !starts(line)),
      ),
    ];
    for (const line of [...missing, ...option, ...others].filter(starts)) {
      told.push(await said(box, [line]));
    }
    await expect(told.join('\n')).toMatchFileSnapshot('mistakes.txt');
  }));

it('when a run is delivered, and when one needs a person', () =>
  inBox(async (box) => {
    const project = join(box.repository, 'src');
    mkdirSync(project);
    writeFileSync(join(project, 'log.txt'), 'Error: connect ECONNREFUSED 127.0.0.1:9000\n');
    const good = ['--check', 'test -f a.txt', 'write a', '--', 'sh', '-c', 'echo I write; echo x > a.txt'];
    const outside = [
      '--check',
      'test -f b.txt',
      'write b',
      '--',
      'sh',
      '-c',
      'echo x > b.txt; echo y > c.txt',
    ];
    const runs = [
      await said(box, [['run', '--name', 'good', '--scope', 'a.txt', ...good]]),
      await said(box, [['run', '--name', 'asks', '--scope', 'b.txt', ...outside]]),
    ];
    const looks = ['status', 'show', 'logs', 'diff', 'checkpoints', 'ledger'].flatMap((name) => [
      [name, 'good'],
      [name, 'asks'],
    ]);
    const lists = [
      ['ps'],
      ['ps', '--state', 'needs you'],
      ['ps', '--state', 'rescuing'],
      ['inbox'],
      ['agents'],
      ['missions'],
      ['holds'],
      ['verify'],
      ['diagnose', 'src/log.txt'],
    ];
    const told = await said(box, [...lists, ...looks]);
    const ends = [
      await said(box, [['answer', 'asks-q1', 'expand_scope', '--follow']]),
      await said(box, [['rm', 'asks']]),
      await said(box, [['sweep']]),
    ];
    await expect([...runs, told, ...ends].join('\n')).toMatchFileSnapshot('runs.txt');
  }));

const SESSION = '5c1e0000-0000-4000-8000-000000000002';

/** Its words until it has said this, then the end that a person gives it. */
async function until(box: Box, args: readonly string[], words: string, end: NodeJS.Signals): Promise<string> {
  const { child, done } = box.start(args, { env: { ...QUIET, HOME: box.folder } });
  let told = '';
  await new Promise<void>((settle) => {
    const hear = (text: string | Buffer) => {
      told += String(text);
      if (told.includes(words)) settle();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('close', () => settle());
  });
  child.kill(end);
  const { exitCode, stdout, stderr } = await done;
  return `$ mayday ${steady(box, args.join(' '))}\n${steady(box, stdout + stderr)}[${exitCode}, after ${end}]\n`;
}

it('by those that stay until they are ended', () =>
  inBox(async (box) => {
    const folder = join(box.folder, '.claude', 'projects', '-repo');
    mkdirSync(folder, { recursive: true });
    const line = { type: 'user', sessionId: SESSION, cwd: box.repository, timestamp: '2026-01-01T00:00:00Z' };
    writeFileSync(
      join(folder, `${SESSION}.jsonl`),
      `${JSON.stringify({ ...line, message: { role: 'user', content: 'build it' } })}\n`,
    );
    const scenario = join(box.folder, 'wrong.yaml');
    const script = 'agent: { attempts: [{ steps: [{ write: { a: x } }, { exit: 0 }] }] }';
    writeFileSync(
      scenario,
      `name: wrong\ntask: { text: a, checks: [test -f a] }\n${script}\nexpect: { attempts: 2 }\n`,
    );
    const work = ['--check', 'test -f a', '--', 'touch', 'a'];
    const hello = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const mcp = await box.shell(
      `echo '${hello}' | MAYDAY_HOME=${box.home} ${process.execPath} ${box.bin} mcp`,
    );
    const told = [
      await until(box, ['serve', '--port', '0'], 'Ctrl-C', 'SIGINT'),
      await until(box, ['attach'], 'session file only', 'SIGINT'),
      await said(box, [['submit', '--name', 'queued', 'write a', ...work]]),
      await said(box, [['work', '--until-idle']]),
      await until(box, ['work'], 'Ctrl-C', 'SIGINT'),
      await said(box, [['drill', 'happy']]),
      await said(box, [['drill', scenario]]),
      `$ echo '${hello}' | mayday mcp\n${mcp.stdout}${mcp.stderr}[${mcp.exitCode}]\n`,
    ];
    await expect(told.join('\n')).toMatchFileSnapshot('stays.txt');
  }));
