export const EXIT_CODES = [
  { code: 0, means: 'delivered and proven, or the command did what it says', script: 'go on' },
  {
    code: 1,
    means: 'Mayday or the machine failed; the message has a code and advice',
    script: 'fail the job and show standard error',
  },
  { code: 2, means: 'wrong usage; nothing was changed', script: 'be mended' },
  {
    code: 3,
    means: 'a question is open (it is printed), or still waiting when --max-wait ran out',
    script: 'tell a person; mayday inbox, mayday answer',
  },
  {
    code: 4,
    means: 'abandoned; the reason is printed, the work is kept',
    script: 'treat it as not done',
  },
  {
    code: 5,
    means:
      'delivered, not proven: there was nothing to check with, or a person delivered it without the proof',
    script: 'not merge; `not_proven` of the document says why',
  },
  {
    code: 130,
    means: 'interrupted by you; the run is safe and the resume command is printed',
    script: 'mayday resume RUN',
  },
  {
    code: 143,
    means: 'the view was ended by SIGTERM (`timeout`, CI, systemd); the run goes on in its keeper',
    script: 'mayday stop RUN where the run shall end too',
  },
] as const;
