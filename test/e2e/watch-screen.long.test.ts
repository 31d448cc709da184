import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textWidth } from '../../src/core/text/width.ts';
import { TerminalScreen } from '../../scripts/demo/terminal-screen.ts';
import { inBox } from './box.ts';
import { atTerminal, hasTerminal } from './terminal.ts';

const REPLY = 'SQLite needs no server';
/** The agent tries to rename the window of the person. */
const SCRIPT = `attempts:
  - steps: [{write: {漢字.txt: "x"}}, {say: "\\e]0;owned\\a I read it. Which store should I use, Postgres or SQLite?"}, {exit: 0}]
  - when: {brief_includes: "${REPLY}"}
    steps: [{write: {a.txt: "SQLite"}}, {exit: 0}]
`;
const XTERM = { env: { TERM: 'xterm-256color', CI: '', NO_COLOR: '1' } };
const COLOUR = new RegExp(`${'\u001B'}\\[[\\d;]*m`);
const DRAWN = new RegExp(`${'\u001B'}\\[(\\d+);1H${'\u001B'}\\[2K([^${'\u001B'}]*)`, 'g');
const RESTORED = '\u001B[?2004l\u001B[?7h\u001B[?25h\u001B[?1049l';

describe.skipIf(!hasTerminal)('the full screen of `mayday watch`', () => {
  it('shows a question when it comes, takes the answer by a key, shows the delivery, and gives the terminal back', () =>
    inBox(async (box) => {
      const script = join(box.folder, 'script.yaml');
      writeFileSync(script, SCRIPT);
      const start = () =>
        void box.call(
          'run',
          '--detach',
          '--script',
          script,
          '--check',
          'grep -q SQLite a.txt',
          'choose a store',
        );
      const { exitCode, screen } = await atTerminal(
        box,
        ['watch'],
        [
          { asked: 'no run is under way', typed: '', meanwhile: start },
          { asked: '1 needs you', typed: 'a' },
          { asked: 'or your words (Esc: later)', typed: '1\r' },
          { asked: 'your words (Esc: later)', typed: `${REPLY}\r` },
          { asked: 'answered', typed: '' },
          { asked: '· delivered ·', typed: 'f' },
          { asked: '+SQLite', typed: 'l' },
          { asked: '· logs ·', typed: 'q' },
          { asked: '· delivered · choose', typed: 'q' },
          { asked: 'q quit', typed: 'q' },
        ],
        XTERM,
      );
      expect(exitCode).toBe(0);
      expect(await box.show()).toMatchObject({ state: 'delivered' });
      expect(screen.endsWith(RESTORED), 'the terminal is as before').toBe(true);
      expect(screen, "the agent's escape sequence").not.toContain('\u001B]0;');
      expect(screen, 'NO_COLOR').not.toMatch(COLOUR);
      const drawn = [...screen.matchAll(DRAWN)];
      expect(drawn.length).toBeGreaterThan(24);
      expect(Math.max(...drawn.map(([, row]) => Number(row)))).toBeLessThanOrEqual(24);
      expect(Math.max(...drawn.map(([, , text = '']) => textWidth(text)))).toBeLessThanOrEqual(80);
    }));

  it('gives the terminal back when a signal ends it', () =>
    inBox(async (box) => {
      const end = (processId: number) => void process.kill(processId, 'SIGTERM');
      const { exitCode, screen } = await atTerminal(
        box,
        ['watch'],
        [{ asked: 'no run is under way', typed: '', meanwhile: end }],
        XTERM,
      );
      expect(exitCode).toBe(143);
      expect(screen).toContain(RESTORED);
    }));
});

it.skipIf(!hasTerminal)(
  '`mayday run` at a terminal says its keys; d leaves the view and the run goes on',
  () =>
    inBox(async (box) => {
      const { exitCode, screen } = await atTerminal(
        box,
        ['run', '--check=true', 'sleep', '--', 'sleep', '600'],
        [
          { asked: 'attempt 1', typed: '' },
          { asked: 'Ctrl-C stops safely · d detaches · l logs', typed: 'l' },
          { asked: 'nothing yet', typed: 'd' },
        ],
        XTERM,
      );
      expect(exitCode).toBe(0);
      expect(screen).toContain('goes on without this view');
      expect(await box.show()).toMatchObject({ state: 'working' });
    }),
);

it.skipIf(!hasTerminal)(
  '`mayday run` at a terminal shows what the agent does now, its last sentence and the changed files; no line is wider than the screen',
  () =>
    inBox(async (box) => {
      box.policy({ snapshot_every_ms: 100 });
      const go = join(box.folder, 'go');
      const script = join(box.folder, 'script.yaml');
      const file = `${'long-name-'.repeat(12)}漢字.txt`;
      writeFileSync(
        script,
        [
          'attempts:',
          `  - steps: [{write: {"${file}": x}}, {say: "I read it. 次は the port."}, {run: "until test -e ${go}; do sleep 0.1; done"}]`,
        ].join('\n'),
      );
      const { exitCode, screen } = await atTerminal(
        box,
        ['run', '--script', script, '--check', 'true', 'mend the port'],
        [
          { asked: 'shell until test -e', typed: '' },
          { asked: '1 file changed: long-name-', typed: '', meanwhile: () => writeFileSync(go, '') },
        ],
        { env: { TERM: 'xterm-256color', CI: '', NO_COLOR: '', FORCE_COLOR: '' } },
      );
      expect(exitCode).toBe(0);
      expect(screen).toContain('says    次は the port.');
      expect(screen, 'colour').toMatch(COLOUR);
      const drawn = new TerminalScreen(1_000);
      drawn.write(screen);
      expect(Math.max(...drawn.text().map((line) => textWidth(line)))).toBeLessThanOrEqual(80);
      expect(drawn.text().join('\n'), 'nothing of the moving lines stays').not.toContain('says ');
    }),
);
