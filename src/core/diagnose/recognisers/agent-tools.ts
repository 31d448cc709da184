/** `AGENT_TOOLS`: what an agent's tools refuse: an edit that matches nothing, a tool that does not exist, a tool server that is gone. */
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const AGENT_TOOLS = [
  r('protocol.edit', 'tool_protocol_error', {
    says: oneOf(
      /\b(?:string|text|block|lines?|snippet|content)s? to (?:replace|search|find|match|edit)\b/i,
      /\bSEARCH(?:\/REPLACE)? (?:block|section|text)s?\b/i,
      /\b(?:find|match|locate) (?:the )?(?:expected lines|search (?:text|string|block)|old[_ ]?(?:string|text|str)|hunk context)\b/i,
      /\bold_?(?:str(?:ing)?|text)\b.{0,80}\b(?:not found|not unique|no match|multiple|identical|missing|must|did not|does not)\b/i,
      /\b(?:apply_patch|diff edit|edit_file|str_replace\w{0,20})\b.{0,60}\b(?:fail\w{0,3}|invalid|rejected|not applied)\b/i,
      /\bdid not conform to the (?:edit )?format\b/i,
      /\bmust read (?:the )?file\b|\bread (?:\S{1,200} ){1,3}before (?:overwriting|editing|writing)\b/i,
      /\bread (?:it|the file) (?:first|again)\b.{0,40}\b(?:writ|edit|chang|modif)\w{0,6}\b/i,
    ),
    alone: 0.6,
    cause: 'The edit does not fit the file as it is now: {message}',
  }),
  r('protocol.no-tool', 'tool_protocol_error', {
    says: oneOf(
      /\b(?:unavailable|unknown|unregistered|non-?existent|invalid|unsupported) (?:tool|function)\b/i,
      /\btool ["'`][\w.:-]{1,80}["'`] (?:was |is )?(?:not (?:found|available|registered|allowed|defined)|does not exist|unknown)\b/i,
      /\bwithout (?:a )?value for (?:the )?required parameter\b/i,
      /\b(?:model|agent|assistant) tried to (?:call|use|invoke)\b/i,
    ),
    alone: 0.6,
    cause: 'The model called a tool that does not exist or left out what it needs: {message}',
  }),
  r('protocol.mcp', 'tool_protocol_error', {
    says: oneOf(
      /\bMCP (?:client|server|tool|connection)\b.{0,100}\b(?:failed|closed|disconnected|crashed|exited|lost)\b/i,
      /\bMCP (?:client|server|tool|connection)\b.{0,100}\b(?:unavailable|not connected)\b/i,
      /\bMCP error ?-32(?!001)\d{3}\b/i,
      /\bhandshak(?:e|ing) with MCP\b/i,
      /\b(?:server|stdio|client) transport (?:was )?(?:closed|ended|lost)\b/i,
      /\bNo valid session ID\b/i,
    ),
    alone: 0.6,
    unless: oneOf(
      /\btimed? ?out\b|refused|not found|\bE(?:CONN\w{3,10}|NOTFOUND|NOENT|TIMEDOUT|AI_AGAIN)\b/i,
      /\b(?:401|403|429|50\d)\b|certificate|unauthori[sz]ed|connection error/i,
    ),
    cause: 'A tool server is gone or does not speak the protocol: {message}',
  }),
];
