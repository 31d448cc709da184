/** `CLOSED`, `NO_HOME`, `NO_TRACE`: the variables by which git reads no file of a person but those that it is given. */

/** A trace is written to any file that a configuration names. */
export const NO_TRACE: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_TRACE2: '0',
  GIT_TRACE2_EVENT: '0',
  GIT_TRACE2_PERF: '0',
};

/** No configuration, no attributes of the system, no question on the terminal. */
export const CLOSED: Readonly<Record<string, string>> = {
  ...NO_TRACE,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
};

/** Attributes and ignored files of the person lie there too. */
export const NO_HOME = { HOME: '/nonexistent' };
