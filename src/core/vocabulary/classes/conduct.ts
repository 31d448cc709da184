/** `CONDUCT_CLASSES`: the failure classes of what the agent or its model does, says or claims. */
import { askTheAgent, askToStart, type ClassRule, NOT_IN_OUTPUT, START_AGAIN } from './class-rule.ts';
import { optionFor } from '../questions/resolution.ts';

// biome-ignore format: the short columns of a row stand together
export const CONDUCT_CLASSES = {
  stalled: {
    sign: 'alive, silent, no progress',
    transient: false, recoverable: true, firstPhase: 1, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'capability_gap', concern: 'code', isShareable: true, isSilence: true, isObserved: true,
    pastBy: 'progress',
    rungs: ['retry', 'hint', 'fresh'],
    hint: 'Your last step went silent and was ended. Run long commands in small parts, each with a time limit of its own.',
    question: askToStart(`What does it wait for? ${START_AGAIN}`),
    hypotheses: [
      ['a command that it started waits for ever', 'run its last call by hand with a time limit: it does not end'],
      ['the model or its service gave no answer', 'another run of the same agent goes silent too'],
    ],
  },
  looping: {
    sign: 'repeats without progress',
    transient: false, recoverable: true, firstPhase: 2, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'missing_context', concern: 'code', isObserved: true,
    rungs: ['hint', 'fresh'],
    hint: 'The same step was repeated without progress. Find out why it does not help; change something first, or take another way.',
    question: askTheAgent('What should it do instead of that step?'),
    hypotheses: [
      ['it misses a fact that it cannot find by itself', 'tell it the fact: it goes on'],
      ['its tool gives the same answer whatever it does', 'run that step by hand after a change: the answer is the same'],
    ],
  },
  waiting_for_input: {
    sign: 'a prompt nobody can answer',
    definition:
      'it waits at a prompt for a person',
    transient: false, recoverable: false, firstPhase: 3, strategy: 'escalate', returnTo: null,
    scope: 'session', category: 'ambiguous_spec', concern: 'judgment',
    pastBy: 'progress',
    rungs: [],
    question: ({ cause }) => ({
      kind: 'input',
      text: `The agent waits for an answer that nobody can type: ${cause}. What is your answer?`,
      options: [optionFor('answer_question'), optionFor('abandon')],
    }),
    hypotheses: [
      ['the task leaves it open', 'a person answers and the agent goes on'],
      ['the answer is in the repository and the agent did not find it', 'look for it in the specification and the code'],
    ],
  },
  tool_protocol_error: {
    sign: 'malformed tool call, MCP or JSON failure',
    definition:
      'a model, a tool or its server does not keep the protocol: malformed JSON, MCP or JSON-RPC error, invalid tool call or ' +
        'shape of request',
    transient: false, recoverable: true, firstPhase: 1, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'environment', concern: 'environment', reason: 'Model API error', isOutside: true,
    isShareable: true,
    rungs: ['retry', 'hint', 'fresh'],
    question: askToStart(),
    advice: () => ({
      plan: 'Repeat the call with the exact shape that the schema asks for; if the server sends garbage, restart it.',
      steps: ['Compare the call with the schema.'],
      actions: ['repeat the call in the right shape', 'restart the tool server'],
      escalation: 'both sides keep disagreeing about the shape',
    }),
    hypotheses: [
      ['the server prints text into its protocol stream', 'its raw output has lines that are not JSON'],
      ['the model sent a malformed call', 'the call in the transcript does not match the schema'],
    ],
  },
  model_refusal: {
    sign: 'policy refusal of the model',
    definition:
      'the model declines for reasons of policy',
    transient: false, recoverable: false, firstPhase: 3, strategy: 'escalate', returnTo: null,
    scope: 'session', category: 'constraint_conflict', concern: 'policy', reason: 'Model API error',
    disproves: ['network', 'login', 'limit', 'overload'],
    pastBy: 'progress',
    rungs: [],
    question: ({ cause }) => ({
      kind: 'refusal',
      text: `The model will not do it: ${cause}. Mayday never rephrases to evade it. What should happen?`,
      options: [
        {
          id: 'revise_work',
          label: 'change the task and go on',
          effect: 'your words reach the agent; Mayday adds nothing to them',
          needsNote: true,
        },
        optionFor('abandon'),
      ],
    }),
    hypotheses: NOT_IN_OUTPUT,
  },
  false_success: {
    sign: 'claims done; checks, diff or tokens say no',
    transient: false, recoverable: true, firstPhase: 2, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'missing_context', concern: 'verification', isObserved: true,
    pastBy: 'gate',
    rungs: ['hint', 'hint', 'fresh'],
    question: {
      ...askTheAgent('Let the agent try once more, let it go about it another way, or deliver it as it is?'),
      opens: 'The work is not done',
    },
    hypotheses: [
      ['the agent ended without running the check', 'its transcript has no such call'],
      ['the check asks for something that the task does not say', 'read the failing line beside the task'],
    ],
  },
  unknown: {
    sign: 'nothing fits',
    definition:
      'the text does not tell what failed, or whether anything did',
    transient: false, recoverable: true, firstPhase: 1, strategy: 'resume', returnTo: 'build',
    scope: 'session', category: 'missing_context', concern: 'code', reason: 'Unknown', isShareable: true, isObserved: true,
    rungs: ['retry'],
    question: askToStart(),
    hypotheses: NOT_IN_OUTPUT,
  },
} as const satisfies Readonly<Record<string, ClassRule>>;
