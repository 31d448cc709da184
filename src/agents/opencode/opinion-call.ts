/**
 * `askOpencode`: how opencode is asked for an opinion: as an agent of this question that has no tools, without plugins and the
 * configuration of a project; its session is only in memory.
 */
import { jsonObject, objectOrNull } from '../../core/text/json.ts';
import { documentedVariables } from '../credentials.ts';
import { OPINION_SYSTEM, type OpinionCall } from '../opinion/opinion-call.ts';
import { OPENCODE_FOLDERS } from './launch.ts';

const AGENT = 'mayday-opinion';

export const askOpencode: OpinionCall = {
  plan: ({ command, model, env }) => {
    const own = objectOrNull(env['OPENCODE_CONFIG_CONTENT'] ?? '') ?? {};
    const agent = {
      mode: 'primary',
      prompt: OPINION_SYSTEM,
      tools: { '*': false },
      permission: { '*': 'deny' },
    };
    return {
      // biome-ignore format: an option and its value stand together
      argv: [
        ...(command.length > 0 ? command : ['opencode']),
        'run', '--pure', '--format', 'json',
        '--agent', AGENT,
        // A title of ours saves the request that it makes for one.
        '--title', 'an opinion',
        ...(model === null ? [] : ['--model', model]),
      ],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          ...own,
          plugin: [],
          mcp: {},
          instructions: [],
          snapshot: false,
          share: 'disabled',
          agent: { ...jsonObject(own['agent']), [AGENT]: agent },
        }),
        OPENCODE_DB: ':memory:',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_DISABLE_CLAUDE_CODE: '1',
      },
      passEnv: [
        ...documentedVariables(['opencode']),
        'OPENCODE_*',
        ...OPENCODE_FOLDERS,
        'NODE_EXTRA_CA_CERTS',
      ],
      files: [],
    };
  },
};
