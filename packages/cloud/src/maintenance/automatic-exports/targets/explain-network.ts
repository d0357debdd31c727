import { RefusedAddress } from '../../../platform/outbound/index.ts'
import { TargetFailure } from './target.ts'

const CERTIFICATE = /CERT|UNABLE_TO_(?:GET|VERIFY)|SELF_SIGNED|ERR_TLS/

/** Explains why a server could not be reached. Returns failures that are explained already as they are. */
export function explainNetwork(error: unknown, host: string): TargetFailure {
  if (error instanceof TargetFailure) return error
  const unreachable = (message: string) => new TargetFailure(message, { isUnreachable: true })
  if (error instanceof RefusedAddress) return unreachable(`${error.message}: enter the address of a public server`)
  const { code = '', message, name } = error as NodeJS.ErrnoException
  if (CERTIFICATE.test(code)) {
    return unreachable(`the certificate of ${host} is not valid (${code}): install one that is, for this name`)
  }
  if (code === 'EMSGSIZE') {
    return unreachable(`${host} sent a longer answer than any server of this kind: check the address`)
  }
  if (code === 'EPROTO') return unreachable(`${host} does not speak TLS on this port: check the address and the port`)
  if (code === 'ECONNREFUSED') return unreachable(`${host} refuses connections: check the port, and that it is running`)
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return unreachable(`${host} closed the connection: try again, and check the log of the server`)
  }
  if (name === 'TimeoutError' || /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code)) {
    return unreachable(`${host} does not answer: check the address and the firewall`)
  }
  return unreachable(`${host} could not be used: ${oneLine(message || code)}`)
}

/** Texts of other servers, as far as a person should see them. */
export const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .slice(0, 300)
    .trim()
