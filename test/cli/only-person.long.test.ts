import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MARKER_VARIABLE } from '../../src/platform/container/process-group.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';
import { MAYDAY } from '../mayday-under-test.ts';

let place: RehearsalRepository;
let runId: string;
beforeAll(async () => {
  place = await RehearsalRepository.make();
  ({ runId } = await place.run({ attempts: [{ steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }] }));
});
afterAll(() => place.remove());

function mayday(words: readonly string[], marker: NodeJS.ProcessEnv) {
  const env = { ...process.env, MAYDAY_HOME: place.home, ...marker };
  return spawnSync(process.execPath, ['--no-warnings', MAYDAY, ...words], { env, encoding: 'utf8' });
}

describe('what the command table keeps for persons', () => {
  it.each([
    ['sweep'],
    ['agents', 'clear', 'odd'],
    ['ledger', 'erase', 'x@1'],
    ['report', '--false-positive', 'i1'],
  ])('is refused to an agent: mayday %s %s', (...words) => {
    const { stderr } = mayday(words, { [MARKER_VARIABLE]: `${runId}.1.x` });
    expect(stderr).toContain('NOT_A_PERSON');
    expect(stderr).toContain(`mayday ${words[0]}`);
  });

  it.each([['agents'], ['report']])('is not what an agent may look at: mayday %s', (...words) => {
    expect(mayday(words, { [MARKER_VARIABLE]: `${runId}.1.x` })).toMatchObject({ status: 0 });
  });

  it('is open to a person', () => {
    expect(mayday(['sweep'], {})).toMatchObject({ status: 0 });
  });
});
