/** The setting that allows an unencrypted connection to a broker on another machine. */
export const ALLOW_PLAIN_MQTT = 'PLANTROOM_ALLOW_PLAIN_MQTT'

const ENCRYPTED = new Set(['mqtts:', 'wss:'])
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** True for a broker URL that sends credentials and setpoints unencrypted to another machine. */
export function isPlainToAnotherMachine(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return !ENCRYPTED.has(protocol) && !LOOPBACK.test(hostname)
}

/** Why such a URL is refused unless the setting allows it; without the credentials that it may hold. */
export function plainBrokerProblem(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host} sends credentials and setpoints unencrypted to another machine: use mqtts:// or wss://, or set ${ALLOW_PLAIN_MQTT}=1 where you trust the network`
}

/** The parts of a broker URL, as a client of MQTT takes them. */
export interface BrokerAddress {
  protocol: 'mqtt' | 'mqtts' | 'ws' | 'wss'
  host: string
  port?: number
  username?: string
  password?: string
  /** Of a broker behind WebSockets. */
  path: string
}

/** Reads a broker URL. The client would read it with a function of Node that is deprecated, and says so in every log. */
export function brokerAddress(url: string): BrokerAddress {
  const { protocol, hostname, port, username, password, pathname, search } = new URL(url)
  return {
    protocol: protocol.slice(0, -1) as BrokerAddress['protocol'],
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    ...(username !== '' && { username: unescaped(username) }),
    ...(password !== '' && { password: unescaped(password) }),
    path: `${pathname || '/'}${search}`,
  }
}

/** A lone percent sign stands for itself. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
