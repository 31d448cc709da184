import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/core/vocabulary/events/command.ts';
import { MaydayError } from '../../src/platform/mayday-error.ts';
import { failedCommand } from '../../src/supervise/command-hands.ts';

const command = { type: 'run_checks' } as Command;
const defect = new TypeError('x is undefined');

describe('a command that failed', () => {
  it('is a fact where the outside world is the cause', () => {
    expect(failedCommand(command, new MaydayError('NO_GIT', 'no git'), [])).toMatchObject({ code: 'NO_GIT' });
    const full = Object.assign(new Error('full'), { code: 'ENOSPC', path: '/x' });
    expect(failedCommand(command, full, [])).toMatchObject({ code: 'DISK_FULL' });
  });

  it('by a defect of Mayday is tried by another keeper', () => {
    expect(() => failedCommand(command, defect, ['attempt_ended', 'taken_over', 'taken_over'])).toThrow(
      defect,
    );
  });

  it('by a defect that three keepers died of is put to a person', () => {
    const lost = ['attempt_ended', 'taken_over', 'taken_over', 'taken_over'];
    expect(failedCommand(command, defect, lost)).toMatchObject({
      code: 'KEEPER_DEFECT',
      message: '3 keepers died of it: x is undefined',
    });
  });
});
