/** The keeper is killed after the agent has ended and before Mayday has examined what it left: nobody is blamed for it. */
import { expect, it } from 'vitest';
import { inBox } from '../e2e/box.ts';
import { eventsOf, lessonNames } from './disk.ts';

it('a keeper that dies between the end of the agent and its examination costs the run nothing', () =>
  inBox(async (box) => {
    // Many files: the examination takes many times as long as the test needs to see the end.
    const agent = 'mkdir d; for i in $(seq 500); do echo $i > d/$i; done; echo one > one.txt';
    const run = ['run', '--detach', '--json', '--check', 'test -f one.txt', 'write one', '--'];
    expect((await box.call(...run, 'sh', '-c', agent)).exitCode).toBe(0);
    const keeper = await box.until('the keeper lives', () => box.keeper());
    const types = () => eventsOf(box).map(({ type }) => type);
    while (!types().includes('attempt_ended')) await new Promise((next) => setImmediate(next));
    process.kill(keeper, 'SIGKILL');
    expect(types()).not.toContain('attempt_examined');
    const show = await box.until('it is delivered', async () => {
      const shown = await box.show();
      return shown.state === 'delivered' && shown;
    });
    expect(show.attempts).toMatchObject([{ ended_by: 'itself', exit_code: 0 }]);
    expect(show.incidents).toEqual([]);
    expect(lessonNames(box)).toEqual([]);
    expect(types()).toContain('taken_over');
  }));
