import { expect, test } from 'vitest';
import { troubledCommands } from '../../../src/supervise/lessons/troubled-commands.ts';

test('a call that was repeated, failed or denied tells its tool and its command line, in the form of every CLI', () => {
  const { tools, commands } = troubledCommands({
    repeated: [{ call: 'Bash npm test', times: 3, result: '' }],
    knowledge: {
      diff: [],
      diffLeftOut: 0,
      lastWords: null,
      decided: [],
      rejected: [],
      failedCalls: [{ call: 'shell {"command":"docker build ."}', result: '' }],
      open: [],
    },
    deniedTools: ['Bash(npm publish)', 'WebFetch'],
  });
  expect(tools).toEqual(['Bash', 'shell', 'Bash', 'WebFetch']);
  expect(commands[0]).toBe('npm test');
  expect(commands[1]).toContain('docker build .');
  expect(commands[2]).toBe('npm publish');
  expect(troubledCommands(null)).toEqual({ tools: [], commands: [] });
});
