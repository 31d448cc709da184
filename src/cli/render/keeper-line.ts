/** `keeperLineText`: a line of the keeper log as text. */
import type { KeeperLine } from '../../supervise/keeper-log.ts';
import { plain } from './plain.ts';

export function keeperLineText(line: KeeperLine): string {
  return `${second(line.at)}  ${plain(said(line))}`;
}

/** In the time zone of this machine, to the second. */
function second(at: number): string {
  return new Date(at).toLocaleString('sv-SE');
}

function said(line: KeeperLine): string {
  switch (line.type) {
    case 'keeper_began':
      return `keeper     began, process ${line.pid}`;
    case 'turn':
      return `took in    ${line.fact}; ${decidedText(line)}`;
    case 'command_began':
      return `began      ${line.command} (${line.key})`;
    case 'command_ended': {
      const broken = line.error === undefined ? '' : `, broken off: ${line.error}`;
      return `ended      ${line.command} (${line.key}) after ${line.tookMs} ms${broken}`;
    }
    case 'waits': {
      const until = line.until === null ? 'no timer is set' : `until ${second(line.until)}`;
      return `waits      for ${line.for}: ${line.what}; ${until}`;
    }
    case 'keeper_ended':
      return `keeper     ended: ${line.end.replaceAll('_', ' ')}`;
  }
}

function decidedText({ decided, commands }: Extract<KeeperLine, { type: 'turn' }>): string {
  if (decided === null) return 'dropped: it came too late or twice';
  const decisions = decided.length === 0 ? 'nothing to decide' : `decided ${decided.join(', ')}`;
  return commands.length === 0 ? decisions : `${decisions}; asked for ${commands.join(', ')}`;
}
