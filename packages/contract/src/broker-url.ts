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
