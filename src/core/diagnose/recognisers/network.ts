/** `NETWORK`: certificates (neither transient nor recoverable), names, refused and dropped connections. */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const NETWORK = [
  r('network.tls', 'network_failure', {
    says: oneOf(
      /CERTIFICATE_VERIFY_FAILED|certificate verif(?:y|ication) failed|self[- ]signed certificate|SELF_SIGNED_CERT/i,
      /unable to (?:get local issuer|verify the first) certificate|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/i,
      /certificate (?:has expired|is not (?:yet )?valid|is not trusted|signed by unknown authority|required|problem)/i,
      /certificate (?:validation failed|chain|hostname|subject name)|CERT_HAS_EXPIRED|ERR_CERT|ERR_TLS_CERT|x509: /i,
      /does not match certificate|SSLHandshakeException|SSLPeerUnverified|PKIX path|SSL(?: certificate)? problem/i,
      /SSLCertVerificationError|SSL routines|TLS handshake|ssl handshake|handshake (?:failed|failure)|tls: /i,
      /invalid peer certificate|UnknownIssuer|CertificateUnknown|TLSV1_ALERT|WRONG_VERSION_NUMBER|\bEPROTO\b|SSL_ERROR/i,
      /SSL_connect|no alternative certificate|certificate is not trusted|issuer is not trusted/i,
      /could not establish (?:a )?trust|wrong version number/i,
    ),
    alone: 0.7,
    unless: /TLS handshake timeout/i,
    recoverable: false,
    transient: false,
    cause: 'The TLS certificate of {host} is not trusted here',
  }),
  r('network.name', 'network_failure', {
    says: oneOf(
      /\bENOTFOUND\b|EAI_AGAIN|EAI_NONAME|getaddrinfo (?:failed|error|for|E)|gaierror|Name or service not known/i,
      /Temporary failure in name resolution|Temporary failure resolving|Could not resolve (?:host|proxy|hostname)/i,
      /couldn't resolve host|no such host/i,
      /[Ff]ailed to resolve ["'‘]?(?:[\w-]{1,60}\.){1,6}(?:com|net|org|io|dev|local|internal|invalid|example|lan|cloud)\b/i,
      /nodename nor servname|UnknownHostException|unable to resolve host|name resolution failed|failed to lookup address/i,
      /No address associated with hostname|unknown host|dns error|DNS lookup failed|NXDOMAIN|SERVFAIL|server misbehaving/i,
      /ERR_NAME_NOT_RESOLVED|NameResolutionError|could not translate host name|Unknown MySQL server host/i,
      /unable to resolve address|Network is unreachable and|php_network_getaddresses/i,
    ),
    alone: 0.65,
    cause: 'The host name {host} cannot be resolved',
  }),
  r('network.connect-timeout', 'network_failure', {
    says: oneOf(
      /connect \bETIMEDOUT\b|\[Errno 110\]/i,
      inOrder(
        /connection (?:attempt )?(?:to \S{1,200} )?timed out(?! after \d{1,12} milliseconds with)/i,
        /(?: after (?<limit>[\d.]{1,12} ?(?:milliseconds|seconds|minutes|ms|s|m)\b))?/i,
      ),
      /dial tcp .{0,80}i\/o timeout|TLS handshake timeout|Timed out while connecting|Unable to connect .{0,60}timed? ?out/i,
      /os error 110|Operation timed out.{0,30}(?:connect|host)|\bconnect(?:ing)? time(?:d |-)?out\b/i,
      /\bConnectTimeout(?:Error|Exception)?\b/i,
    ),
    alone: 0.55,
    unless: /Read error|APIConnectionTimeoutError|Read timed out|Operation timed out after/i,
    cause: 'No connection to {host} within {limit|the time limit}',
  }),
  r('network.refused', 'network_failure', {
    says: oneOf(
      /\bECONNREFUSED\b|Connection refused|ConnectionRefused|[Ff]ailed (?:to )?download(?:ing)? https?:|actively refused/i,
      /Couldn't connect to server|could not connect to (?:server|the server|host|\S{1,200}:\d{1,12})/i,
      /Failed to connect to \S{1,200} port|[Cc]ould not (?:create|establish|open|make) (?:an? )?(?:\w{1,20} )?connection to/i,
      /can(?:'|no)t connect to (?:\S{1,200} )?(?:MySQL|server|remote host|local MySQL|host|\S{1,200}:\d{1,12})/i,
      /ERR_CONNECTION_REFUSED|connection to server .{0,100}failed/i,
      /failed to connect to (?:all addresses|server|host|the server)/i,
      /unable to connect to (?:the server|server|host|\S{1,200}:\d{1,12})|Error connecting to|No connection could be made/i,
      /os error 111|\[Errno 111\]|ServerSelectionTimeoutError|MongoServerSelectionError|MongoNetworkError|tcp connect error/i,
      /NewConnectionError|Could not connect to Redis|ServiceUnavailable.{0,20}bolt|NoBrokersAvailable/i,
      /(?:can ?not|can't|could not|couldn't|unable to|failed to) (?:reach|contact|communicate with|talk to|establish a? ?connection)/i,
      /could not be established|failed to dial/i,
    ),
    alone: 0.6,
    unless: oneOf(
      /Podman|Docker daemon|docker API|unix:\/\/|\.sock\b|password authentication|does not exist|no password supplied/i,
      /no pg_hba|too many|role "/i,
    ),
    cause: 'Nothing accepts connections at {host}',
  }),
  r('network.dropped', 'network_failure', {
    says: oneOf(
      /\bECONNRESET\b|Connection reset|ConnectionReset/i,
      /connection (?:was )?(?:closed|dropped|lost|aborted|terminated|forcibly closed)|\bECONNABORTED\b/i,
      /\bEPIPE\b.{0,40}(?:socket|connect|write)|socket hang up|other side closed|UND_ERR_SOCKET|Premature close/i,
      /ERR_STREAM_PREMATURE_CLOSE|RemoteDisconnected|Remote end closed|server (?:closed|disconnected)/i,
      /unexpected(?:ly)? (?:disconnect|closed)|: unexpected EOF$|EOF occurred in violation|ServerDisconnectedError/i,
      /IncompleteRead|ChunkedEncodingError|incomplete (?:chunked|message|body)|RemoteProtocolError|peer closed connection/i,
      /empty reply from server|transfer closed with|early EOF|the remote end hung up|hung up unexpectedly/i,
      /stream (?:disconnected|closed|ended|error)|broken pipe.{0,40}(?:remote|connection|socket)/i,
      /Connection (?:to|with) .{0,60} (?:closed|lost)|connection error\b|APIConnectionError|ERR_CONNECTION_(?:RESET|CLOSED)/i,
      /\bENETUNREACH\b|\bEHOSTUNREACH\b|\bENETDOWN\b|Network is (?:unreachable|down)|No route to host/i,
      /network (?:error|failure|is offline)|TypeError:? \(?(?:fetch failed|Failed to fetch|NetworkError)|fetch failed/i,
      /terminated: other side|kex_exchange_identification|error reading from remote/i,
      /HTTP\/2 stream .{0,40}(?:not closed|reset)|RPC failed; |curl 18|curl 56|Recv failure|Received HTTP\/0\.9/i,
      /protocol error: bad line length|ClientConnectorError|ClientOSError|NetworkError|ConnectionError\b|os error 104/i,
      /\[Errno 10[134]\]|lost connection to|server has gone away|SSL connection has been closed unexpectedly/i,
      /received fast shutdown|terminating connection due to administrator/i,
    ),
    alone: 0.5,
    unless: /MCP error|-32000|transport closed/i,
    cause: 'The connection to {host} broke',
  }),
];
