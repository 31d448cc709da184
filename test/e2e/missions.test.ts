import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';
import { atTerminal, END_OF_INPUT, hasTerminal } from './terminal.ts';

/** Raises a flag, and goes on only when the brief says where the key is. */
const SCRIPT = `attempts:
  - steps: [{write: {a.txt: "A"}}, {blocker: {reason: "no key for the vault"}}, {exit: 0}]
  - when: {brief_includes: "the key is in keys.txt"}
    steps: [{write: {b.txt: "B"}}, {exit: 0}]
`;
const WORDS = 'the key is in keys.txt: read it and write b.txt';

interface Mission {
  readonly id: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly closed_at: string | null;
}

/** A run that waits for a person. */
async function stuck(box: Box): Promise<string> {
  writeFileSync(join(box.folder, 'script.yaml'), SCRIPT);
  const script = join(box.folder, 'script.yaml');
  const ran = await box.call('run', '--script', script, '--check', 'test -f b.txt', 'open the vault');
  expect(ran.exitCode).toBe(3);
  return (await box.show()).run_id;
}

async function json<T>(box: Box, ...args: string[]): Promise<T> {
  const { stdout, exitCode, stderr } = await box.call(...args, '--json');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stdout) as T;
}

async function delivered(box: Box): Promise<void> {
  await box.until('it is delivered', async () => (await box.show()).state === 'delivered');
}

async function refused(box: Box, code: string, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await box.call(...args);
  expect({ exitCode, said: stderr }).toMatchObject({ exitCode: 2, said: expect.stringContaining(code) });
}

describe('a rescue mission on the command line', () => {
  it('without a terminal it takes the plan from its options, and closes only with what was learned', () =>
    inBox(async (box) => {
      const run = await stuck(box);
      await refused(box, 'NOTHING_TO_INJECT', 'rescue', run, '--json');
      await refused(box, 'WRONG_CATEGORY', 'rescue', run, '--inject', 'x', '--category', 'bad luck');
      const plan = ['--inject', WORDS, '--category', 'missing_context', '--root-cause', 'nobody said where'];
      const mission = await json<Mission>(box, 'rescue', run, ...plan, '--owner', 'ann');
      expect(mission).toMatchObject({
        id: `${run}-m1`,
        run_id: run,
        task_id: run,
        owner: 'ann',
        outcome: null,
        state: 'under_way',
        diagnosis: { category: 'missing_context', root_cause: 'nobody said where' },
        injection: { description: WORDS, files_added: [], spec_changes: [] },
      });
      await delivered(box);

      const [owing] = await json<Mission[]>(box, 'missions');
      expect(owing).toMatchObject({ outcome: 'resolved', state: 'owes_enrichment', closed_at: null });
      expect((await box.call('missions')).stdout).toContain('owes enrichment');
      expect(await json(box, 'sync')).toMatchObject({
        missions_lacking_enrichment: [{ mission: mission.id, run_id: run, owner: 'ann', overdue: false }],
        governance: { missions_this_week: [] },
      });
      expect((await json<{ missions: unknown }>(box, 'report')).missions).toMatchObject({
        total: 1,
        closed: 0,
        enrichment: { n: 0, share: 0 },
      });

      await refused(box, 'MISSION_OWES', 'missions', 'close', mission.id);
      await refused(box, 'MISSION_OWES', 'missions', 'close', mission.id, '--reason', '  ');
      await refused(box, 'UNKNOWN_LESSON', 'missions', 'close', mission.id, '--lesson', 'nobody-wrote-it');
      await refused(box, 'UNKNOWN_MISSION', 'missions', 'close', `${run}-m7`);
      expect(await json(box, 'missions')).toMatchObject([{ state: 'owes_enrichment' }]);

      const spec = 'AGENTS.md says where keys are';
      expect(await json(box, 'missions', 'close', mission.id, '--spec', spec)).toMatchObject({
        state: 'closed',
        closed_at: expect.any(String),
        context_updates: [`spec: ${spec}`],
      });
      await refused(box, 'MISSION_CLOSED', 'missions', 'close', mission.id, '--reason', 'again');
      expect(await json(box, 'sync')).toMatchObject({
        missions_lacking_enrichment: [],
        governance: { missions_this_week: [{ mission: mission.id, updates: [`spec: ${spec}`] }] },
      });
      expect((await json<{ missions: unknown }>(box, 'report')).missions).toMatchObject({
        closed: 1,
        open: 0,
        enrichment: { n: 1, share: 1 },
      });
      expect((await box.call('verify')).exitCode).toBe(0);
    }));

  it('copies its files into the workspace, names them in the brief, and a rescue that fails has no MTTU and can be closed', () =>
    inBox(async (box) => {
      writeFileSync(
        join(box.folder, 'script.yaml'),
        `attempts:
  - steps: [{blocker: {reason: "no key for the vault"}}, {exit: 0}]
  - when: {brief_includes: [".mayday/rescue/1-keys.txt", ".mayday/rescue/2-SPEC.md"]}
    steps: [{run: "(cat .mayday/rescue/1-keys.txt .mayday/rescue/2-SPEC.md; git status --short) > ${box.folder}/seen.txt"}, {blocker: {reason: "the key does not fit"}}, {exit: 0}]
`,
      );
      const script = join(box.folder, 'script.yaml');
      await box.call('run', '--script', script, '--check', 'test -f b.txt', 'open the vault');
      const { run_id: run } = await box.show();
      for (const [name, text] of [
        ['keys.txt', 'k3y'],
        ['SPEC.md', 'sp3c'],
      ] as const)
        writeFileSync(join(box.repository, name), text);
      const plan = [
        'rescue',
        run,
        '--note',
        'read the files',
        '--file',
        'keys.txt',
        '--spec',
        'SPEC.md',
        '--json',
      ];
      await refused(box, 'RESCUE_FILE_UNUSABLE', 'rescue', run, '--inject', 'x', '--file', 'gone.txt');
      expect((await box.call(...plan)).exitCode).toBe(0);
      await box.until('it asks again', async () => {
        const { questions, state } = await box.show();
        return state === 'waiting' && (questions as unknown[]).length === 2;
      });
      const seen = readFileSync(join(box.folder, 'seen.txt'), 'utf8');
      expect(seen.trim(), 'read by the agent, and no work').toBe('k3ysp3c');
      expect(await json(box, 'missions')).toMatchObject([
        {
          outcome: 're-escalated',
          mttu_minutes: null,
          injection: { files_added: ['keys.txt'], spec_changes: ['SPEC.md'] },
          context_updates: ['file: keys.txt', 'spec: SPEC.md'],
        },
      ]);
      const owed = { missions: { enrichment: { n: 0, share: 0 }, mttu_ms: { n: 0 } } };
      expect(await json(box, 'report'), 'a specification that did not help taught nothing').toMatchObject(
        owed,
      );
      const why = ['--reason', 'the vault was changed this morning'];
      expect(await json(box, 'missions', 'close', `${run}-m1`, ...why)).toMatchObject({
        state: 'closed',
        outcome: 're-escalated',
        mttu_minutes: null,
      });
      const closed = { missions: { enrichment: { n: 1, share: 1 }, mttu_ms: { n: 0 } } };
      expect(await json(box, 'report')).toMatchObject(closed);
    }));

  it.skipIf(!hasTerminal)(
    'at a terminal it asks the checklist in its order, and the approved lesson closes it',
    () =>
      inBox(async (box) => {
        const run = await stuck(box);
        const { exitCode, screen } = await atTerminal(
          box,
          ['rescue', run],
          [
            { asked: 'Was a fact missing that exists somewhere? [y/N] ', typed: 'n\n' },
            // Typed ahead: the answer to this question and to the next.
            { asked: 'Can the task be read in two ways? [y/N] ', typed: 'y\nthe task names no place\n' },
            { asked: 'What should the agent know and do now? ', typed: `\n${WORDS}\n` },
          ],
        );
        expect({ exitCode, screen }).toMatchObject({
          exitCode: 0,
          screen: expect.stringContaining('no key for the vault'),
        });
        expect(screen).not.toContain('exclude each other');
        await delivered(box);
        const [mission] = await json<Mission[]>(box, 'missions');
        expect(mission).toMatchObject({
          state: 'owes_enrichment',
          diagnosis: { category: 'ambiguous_spec', root_cause: 'the task names no place' },
          injection: { description: WORDS },
        });
        const { lessons_proposed } = await box.show();
        const [lesson] = lessons_proposed as string[];
        await refused(box, 'LESSON_NOT_APPROVED', 'missions', 'close', `${run}-m1`, '--lesson', `${lesson}`);
        expect((await box.call('context', 'approve', `${lesson}`)).exitCode).toBe(0);
        expect(await json(box, 'missions')).toMatchObject([
          { state: 'closed', context_updates: [`lesson ${lesson}`] },
        ]);
      }),
  );

  it.skipIf(!hasTerminal)('a person who goes away in the middle has changed nothing', () =>
    inBox(async (box) => {
      const run = await stuck(box);
      const { exitCode, screen } = await atTerminal(
        box,
        ['rescue', run],
        [{ asked: 'Was a fact missing', typed: END_OF_INPUT }],
      );
      expect({ exitCode, screen }).toMatchObject({
        exitCode: 2,
        screen: expect.stringContaining('NOTHING_SAID'),
      });
      expect(await json(box, 'missions')).toEqual([]);
      expect((await box.call('missions')).stdout).toContain('no rescue missions yet');
      expect((await box.show()).attempts).toHaveLength(1);
    }),
  );
});
