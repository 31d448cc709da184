import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { textWidth } from '../../src/core/text/width.ts';
import { type Box, inBox } from './box.ts';
import { atTerminal, hasTerminal } from './terminal.ts';

const WORDS = 'I read the task. Which store should I use, Postgres or SQLite?';
const SCRIPT = `attempts:
  - steps: [{say: "${WORDS}"}, {exit: 0}]
  - when: {brief_includes: "SQLite needs no server"}
    steps: [{write: {a.txt: "SQLite"}}, {exit: 0}]
`;
const REPLY = 'SQLite needs no server';

function args(box: Box): string[] {
  const script = join(box.folder, 'script.yaml');
  writeFileSync(script, SCRIPT);
  return ['run', '--script', script, '--check', 'grep -q SQLite a.txt', 'choose a store'];
}

it('an agent that asks is in the inbox word for word; a reply in plain words reaches its conversation', () =>
  inBox(async (box) => {
    expect((await box.call(...args(box))).exitCode).toBe(3);
    const inbox = await box.call('inbox');
    expect(inbox.stdout).toContain(WORDS);
    const { run_id } = await box.show();
    const followed = await box.call('answer', `${run_id}-q1`, REPLY, '--follow');
    expect(followed).toMatchObject({ exitCode: 0 });
    const { attempts } = await box.show();
    expect(attempts.map(({ agent_session }) => agent_session)).toHaveLength(2);
    expect(new Set(attempts.map(({ agent_session }) => agent_session)).size, 'one conversation').toBe(1);
  }));

it('one word of its question is a reply; a mistyped option is not. Who follows its log is told of the question', () =>
  inBox(async (box) => {
    await box.call(...args(box));
    const { run_id } = await box.show();
    const following = box.start(['logs', '-f', run_id]);
    await once(following.child.stderr as Readable, 'data');
    following.child.kill();
    expect((await following.done).stderr).toContain(`mayday answer ${run_id}-q1`);
    const { stderr: unknown } = await box.call('answer', run_id, 'abandn');
    expect(unknown).toContain('UNKNOWN_OPTION');
    expect(unknown.match(/^ {2}do /gm), 'the label stands once, the options below it').toHaveLength(1);
    expect(unknown).toMatch(/^ {14}mayday answer \S+-q1 2 {3}\S/m);
    expect(await box.call('answer', run_id, 'sqlite')).toMatchObject({ exitCode: 0 });
    const shown = (await box.show()) as unknown as { questions: readonly { answer: { note: string } }[] };
    expect(shown.questions[0]?.answer.note).toBe('sqlite');
  }));

it.skipIf(!hasTerminal)('at a terminal the person decides on the spot, and the same command goes on', () =>
  inBox(async (box) => {
    const ran = await atTerminal(box, args(box), [{ asked: 'your decision', typed: `${REPLY}\n` }]);
    expect(ran.screen).toContain('Which store should I use');
    expect(ran.exitCode).toBe(0);
  }),
);

it.skipIf(!hasTerminal)(
  'answer without an option shows the question and takes a number; Enter leaves it open',
  () =>
    inBox(async (box) => {
      expect((await box.call(...args(box))).exitCode).toBe(3);
      const { run_id } = await box.show();
      const later = await atTerminal(box, ['answer', run_id], [{ asked: 'your decision', typed: '\n' }], {
        columns: 50,
      });
      expect(later.exitCode).toBe(3);
      const widths = later.screen.split('\r\n').map((line) => textWidth(line));
      expect(Math.max(...widths.slice(1)), 'no line is broken inside a word').toBeLessThanOrEqual(50);
      const dialogue = [
        { asked: 'your decision', typed: 'l\n' },
        { asked: 'that is no option', typed: '1\n' },
        { asked: 'your words', typed: `${REPLY}\n` },
      ];
      expect(await atTerminal(box, ['answer', run_id, '--follow'], dialogue)).toMatchObject({ exitCode: 0 });
      const piped = await box.call('answer', run_id);
      expect(piped.exitCode, 'closed by now').toBe(2);
    }),
);
