/**
 * `RECOGNISERS`: all of them. Their order is the precedence on one line: the specific reading before the general one, the cause from
 * outside before the symptom.
 */
import type { Recogniser } from '../recogniser.ts';
import { ACCESS } from './access.ts';
import { AGENT_TOOLS } from './agent-tools.ts';
import { BUILD } from './build.ts';
import { CONFIGURATION } from './configuration.ts';
import { ENVIRONMENT } from './environment.ts';
import { GIT_CONFLICT, GIT_ERROR, GIT_WORDS } from './git.ts';
import { HTTP_REQUEST, HTTP_STATUS } from './http-status.ts';
import { INTERRUPTIONS, RESOURCES, TIME } from './machine.ts';
import { MODEL_LIMITS } from './model-limits.ts';
import { NETWORK } from './network.ts';
import { PROTOCOL } from './protocol.ts';
import { RUNTIME } from './runtime.ts';
import { SUPPLY } from './supply.ts';
import { TESTS } from './tests.ts';
import { OUTWARD_TOPICS, TOPICS } from './topics.ts';

export const RECOGNISERS: readonly Recogniser[] = [
  ...GIT_CONFLICT,
  ...GIT_WORDS,
  ...AGENT_TOOLS,
  ...MODEL_LIMITS,
  ...ACCESS.slice(0, 2),
  ...HTTP_STATUS,
  ...RESOURCES,
  ...ACCESS.slice(2),
  ...ENVIRONMENT,
  ...CONFIGURATION,
  ...NETWORK.filter(({ id }) => id === 'network.connect-timeout'),
  ...TIME,
  ...NETWORK.filter(({ id }) => id !== 'network.connect-timeout'),
  ...SUPPLY,
  ...INTERRUPTIONS,
  ...PROTOCOL,
  ...OUTWARD_TOPICS,
  ...HTTP_REQUEST,
  ...GIT_ERROR,
  // The work itself is wrong. These come late: a cause from outside explains more.
  ...BUILD,
  ...TESTS,
  ...RUNTIME,
  ...TOPICS,
];
