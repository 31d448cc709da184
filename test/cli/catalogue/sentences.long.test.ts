/**
 * What every command says: with nothing there a line and its exit code, to a mistake the error, its code and what to do. The ten most seen
 * sentences word for word: `npx vitest run FILE --update` writes them anew.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { type Box, inBox } from '../../e2e/box.ts';

/** They serve until they are ended, or tell of this machine. */
const APART = ['serve', 'mcp', 'bench', 'drill', 'work', 'attach', 'doctor'];
/** A home without a session of an agent and without a terminal. */
const QUIET = { TZ: 'UTC', COLUMNS: '80', NO_COLOR: '1', CI: 'true', USER: 'ann' };
const AT_ONCE = 3;
const ERROR = /^mayday: .+ \([A-Z_]+\)\n(?: {2}(?:happened|did) .*\n)* {2}do {2,}\S/m;
const spoken = COMMANDS.filter(({ name }) => !APART.includes(name));

/** What each says, and its exit code. */
async function told(box: Box, lines: readonly (readonly string[])[]) {
  const all: { readonly line: string; readonly text: string; readonly exitCode: number | null }[] = [];
  const left = [...lines.entries()];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, args] = next;
      const { exitCode, stdout, stderr } = await box.start(args, { env: { ...QUIET, HOME: box.folder } })
        .done;
      all[at] = { line: args.join(' '), text: stdout + stderr, exitCode };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return all;
}

it('with nothing there', () =>
  inBox(async (box) => {
    const bare = spoken.filter(({ takes: { min } }) => min === 0).map(({ name }) => name);
    const asks = bare.filter((name) => !['run', 'init', 'diagnose', 'report', 'sync'].includes(name));
    for (const { line, text, exitCode } of await told(
      box,
      asks.map((name) => [name]),
    )) {
      expect.soft(text.trim(), line).not.toMatch(/^$|undefined|null|\bat .*\.ts:/);
      expect.soft(exitCode === 0 || ERROR.test(text), `${line}: ${text}`).toBe(true);
    }
  }));

it('to a mistake', () =>
  inBox(async (box) => {
    const named = spoken
      .filter(({ takes: { usage } }) => /^\[?RUN\b/.test(usage))
      .map(({ name }) => [name, 'nobody']);
    const missing = spoken.filter(({ takes: { min } }) => min > 0).map(({ name }) => [name]);
    const others = [
      ['ps', '--jsno'],
      ['rnu'],
      ['run', 'x'],
      ['run', '--agent', 'nobody', 'x'],
      ['run', '--budget-usd', 'ten', 'x', '--', 'true'],
      ['run', '--budget-usd', '5', 'x', '--', 'true'],
      ['run', '--sink', 'nowhere', 'x', '--', 'true'],
      ['run', '--name', '../x', 'x', '--', 'true'],
      ['answer', 'nobody-q1', '1'],
      ['holds', 'release', 'h9'],
      ['logs', 'x', '--tail', 'many'],
      ['ps', '--state', 'asleep'],
      ['diagnose', 'no-such-file'],
      ['completion', 'tcsh'],
      ['context', 'approve', 'L9'],
      ['replay', '--policy', 'no-such-file'],
      ['serve', '--port', 'high'],
      ['drill', 'nobody'],
      ['work', '--concurrency', 'many'],
      ['attach', 'nobody'],
      ['mcp', 'x'],
    ];
    for (const { line, text, exitCode } of await told(box, [...named, ...missing, ...others])) {
      expect.soft(text, line).toMatch(ERROR);
      expect.soft(exitCode, line).toBe(2);
    }
  }));

/** Times, places and names of this machine are not the point. */
function steady(box: Box, text: string): string {
  return (
    text
      .replaceAll(box.folder, '/BOX')
      .replaceAll(/\b\d\d:\d\d(:\d\d)?\b/g, 'HH:MM')
      .replaceAll(/\b\d+(?:\.\d+)? (s|m|h)\b( \d+ s)?/g, 'N s')
      .replaceAll(/\b[0-9a-f]{7,64}\b/g, 'HASH')
      .replaceAll(/\b\d+(\.\d+)? (B|[kMG]B|[KMG]iB)\b/g, 'SIZE')
      .replaceAll(/^.*(\(mayday doctor\)|not contained:|takes a while).*\n/gm, '')
      // The width of a column follows what was replaced.
      .replaceAll(/^.*(?:N s ago|PROGRESS).*$/gm, (line) => line.replaceAll(/ {2,}/g, '  '))
  );
}

it('when a run is delivered, and when one needs a person', () =>
  inBox(async (box) => {
    mkdirSync(join(box.repository, 'src'));
    writeFileSync(join(box.repository, 'src/log.txt'), 'Error: connect ECONNREFUSED 127.0.0.1:9000\n');
    const checked = (name: string) => ['--scope', `${name}.txt`, '--check', `test -f ${name}.txt`];
    const work = (name: string, text: string) =>
      ['run', '--name', name].concat(checked(name), [`write ${name}`, '--', 'sh', '-c', text]);
    // One run after the other: one that goes wrong can hold the next.
    const steps = [
      [work('good', 'echo I write; echo x > good.txt')],
      [work('asks', 'echo x > asks.txt; echo y > c.txt')],
      [['ps'], ['inbox'], ['status', 'good'], ['show', 'asks'], ['verify'], ['diagnose', 'src/log.txt']],
      [['answer', 'asks-q1', 'expand_scope', '--follow']],
      [['rm', 'asks']],
    ];
    const said: string[] = [];
    for (const lines of steps)
      for (const { line, text, exitCode } of await told(box, lines))
        said.push(`$ mayday ${steady(box, line)}\n${steady(box, text)}[${exitCode}]\n`);
    await expect(said.join('\n')).toMatchFileSnapshot('runs.txt');
  }));
