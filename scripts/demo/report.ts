/** The last lines of the demo: what the three runs amount to, and where to look next. */
import type { Told } from './tell-drill.ts';

const NEXT = [
  ['npx mayday run --check "test -f done.txt" -- sh -c \'date > done.txt\'', 'any command as an agent'],
  ['npx mayday drill', 'every way to break that we know, rescued on this machine'],
  ['npx mayday autopsy', "what happened in your agent's last session"],
  ['npx mayday doctor', 'what this machine offers'],
  ['npm run demo -- --interactive', 'this again, and you decide'],
] as const;

export function report(told: readonly Told[], seconds: number): string {
  const incidents = told.flatMap(({ state }) => state.incidents);
  const rescued = incidents.filter(({ outcome }) => outcome === 'resolved').length;
  const asked = told.filter(({ state }) => state.questions.length > 0).length;
  const delivered = told.filter(({ result }) => result.state === 'delivered').length;
  const lost = told.reduce((sum, { result }) => sum + result.lost, 0);
  const rows = told.map(({ result, state }) => {
    const notice = result.seconds_to_notice;
    return [
      result.name.replace('demo-', '').padEnd(13),
      (result.class ?? '-').padEnd(16),
      (result.strategy ?? '-').padEnd(10),
      `${state.attempts.length} attempt${state.attempts.length === 1 ? ' ' : 's'}`.padEnd(12),
      notice === null ? '' : `noticed in ${notice.toFixed(1)} s`,
    ].join('');
  });
  return [
    '',
    'report',
    ...rows.map((row) => `   ${row}`),
    `   ${told.length} runs · ${delivered} delivered · ${incidents.length} incidents, ${rescued} rescued · ${asked} needed a person · ${lost} files lost · ${Math.round(seconds)} s`,
    '',
    'The three runs had a home of their own, which is gone. Look next',
    ...NEXT.map(([command, about]) => `   ${command.padEnd(74)}${about}`),
    '',
  ].join('\n');
}
