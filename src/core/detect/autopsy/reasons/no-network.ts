/** `noNetwork`: several hosts outside of the machine are out of reach for any program: the environment refuses, no address is wrong. */
import { counted } from '../../../text/counted.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, type FindReason } from './find-reason.ts';

/** How programs say which host they did not reach; a long line may be wrapped anywhere. */
const NOT_REACHED = oneOf(
  /\bcould not (?:resolve|translate) host(?: name)?:? ["']?([\w-]+(?:\.[\w-]+)+)/gi,
  /\blookup ([\w-]+(?:\.[\w-]+)+)(?: on [\d.:[\]a-f]+)?: (?:no such host|server misbehaving|i\/o timeout)/gi,
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|temporary failure resolving) ["']?([\w-]+(?:\.[\w-]+)+)/gi,
  /\b(?:could not|failed to|unable to|cannot) connect to (?:server )?["']?([\w-]+(?:\.[\w-]+)+)/gi,
  /\bhost=["']([\w-]+(?:\.[\w-]+)+)["'][^\n]{0,300}(?:name resolution|name or service not known|network is unreachable)/gi,
);
const ADDRESS = /https?:\/\/([\w-]+(?:\.[\w-]+)+)/gi;
const NO_NAMES = /temporary failure in name resolution|name or service not known|network is unreachable/i;
/** A server on the machine itself, or in its own network, may only not have been started. */
const NEAR =
  /^(?:localhost|127\.|0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)|\.(?:local|internal|localhost)$/i;
/** One host may be down or misspelt. */
const HOSTS = 3;
const CALLS = 4;
const SHOWN = 3;

export const noNetwork: FindReason = (record) => {
  const { turns, failure } = record;
  if (editsFile(failure.turn)) return null;
  const vain = turns
    .filter(({ step }) => step >= failure.first.step)
    .map((turn) => ({ turn, hosts: hostsIn(turn) }))
    .filter(({ hosts }) => hosts.length > 0);
  const hosts = [...new Set(vain.flatMap((each) => each.hosts))];
  const own = failure.turns.filter((turn) => hostsIn(turn).length > 0 || NO_NAMES.test(turn.output)).length;
  const programs = new Set(vain.map(({ turn }) => /^\S*/.exec(commandOf(turn.input).trim())?.[0]));
  if (hosts.length < HOSTS || vain.length < CALLS || programs.size < 2 || own * 2 < failure.turns.length)
    return null;
  if (turns.some((turn) => turn.step > failure.first.step && reachesOut(turn))) return null;
  const named = `${hosts.slice(0, SHOWN).join(', ')}${hosts.length > SHOWN ? ' and others' : ''}`;
  const paths = editedInVain(record);
  const back = paths === '' ? '' : ` Take back what was changed only for this (${paths}).`;
  return {
    cause:
      `no host outside of this machine is reached: ${counted(hosts.length, 'host')} (${named}) in ${counted(vain.length, 'call')} by ` +
      `different programs. The environment of this run seems to have no network, so \`${callText(failure.turn)}\` cannot work in it`,
    startHere:
      'Stop: another address, mirror, version or resolver does not help. Hand over what is done, say that ' +
      `\`${callText(failure.turn)}\` never worked here, and ask a person for network or for what has to be there.${back}`,
    failureClass: 'environment',
  };
};

function hostsIn({ output, input, kind, edit }: RecordedTurn): readonly string[] {
  // A file may speak of hosts that no call asked.
  if (kind === 'read' || kind === 'search' || edit !== null) return [];
  const text = output.slice(0, 20_000).replace(/\s+/g, ' ');
  // Where it does not say which host, it is the one that it was asked for.
  const asked = NO_NAMES.test(text) ? [...`${commandOf(input)} ${text}`.matchAll(ADDRESS)] : [];
  const named = [...text.matchAll(NOT_REACHED), ...asked].flatMap(
    (found) => found.slice(1).find(Boolean) ?? [],
  );
  return [...new Set(named.map((host) => host.toLowerCase()))].filter((host) => !NEAR.test(host));
}

const FETCHES = oneOf(
  /^(?:curl|wget|npm (?:install|ci|view)|pip3? (?:install|download)|apt(?:-get)? (?:install|update))\b/,
  /^git (?:clone|fetch|pull|push|ls-remote)\b/,
);

/** A call that fetches from outside went well. */
function reachesOut(turn: RecordedTurn): boolean {
  const command = commandOf(turn.input).trim();
  // The exit code of a chain is that of its end.
  if (turn.failed || turn.barren || /[|;]/.test(command) || !FETCHES.test(command)) return false;
  return hostsIn(turn).length === 0 && !/\b(?:localhost|127\.0)|file:|--offline/.test(command);
}
