import { expect, it } from 'vitest';
import type { RecordedRequest } from '../tools/model-server/model-server.ts';
import type { Utterance } from '../tools/model-server/request-facts.ts';
import { lostHistory, resumes } from './lost-history.ts';

const asked: Utterance = { by: 'person', text: 'Write it' };
const called: Utterance = { by: 'model', text: 'I look.\nshell {"command":"ls"}' };
const answered: Utterance = { by: 'tool', text: 'a.txt' };

it('nothing is lost where the model is told all of it again, with new words around it', () => {
  const before = { utterances: [asked, called, answered] };
  const reminder: Utterance = { by: 'person', text: 'Go on.' };
  const spaced: Utterance = { by: 'tool', text: 'a.txt\n' };
  expect(lostHistory(before, { utterances: [asked, called, spaced, reminder] })).toEqual([]);
  expect(lostHistory(before, { utterances: [called, answered, reminder] })).toEqual([]);
});

it('an answer that is gone, a result that reads otherwise and a changed order are lost', () => {
  const before = { utterances: [asked, called, answered] };
  expect(lostHistory(before, { utterances: [asked, answered] })).toEqual([
    'model: I look. shell {"command":"ls"}',
  ]);
  expect(lostHistory(before, { utterances: [called, { by: 'tool', text: 'aborted' }] })).toEqual([
    'tool: a.txt',
  ]);
  expect(lostHistory(before, { utterances: [answered, called] })).toEqual(['tool: a.txt']);
});

it('only attempts of the same agent session are compared', () => {
  const request = (at: number, rule = 'rule 1') => ({ at, rule }) as RecordedRequest;
  const requests = [request(1_000), request(2_000), request(5_000, 'title'), request(6_000), request(9_000)];
  const attempt = (second: number, agent_session: string | null) => ({
    started_at: new Date(second * 1_000).toISOString(),
    agent_session,
  });
  expect(resumes(requests, [attempt(0, 'a'), attempt(4, 'a'), attempt(8, 'b')])).toEqual([
    [requests[1], requests[3]],
  ]);
  expect(resumes(requests, [attempt(0, null), attempt(4, null)])).toEqual([]);
});
