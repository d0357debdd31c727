import { join } from 'node:path'
import { run } from './run.ts'

export interface Certificate {
  certFile: string
  keyFile: string
}

/** Creates a self-signed certificate for this machine. Clients trust it only if it is given to them. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const certFile = join(folder, 'cert.pem')
  const keyFile = join(folder, 'key.pem')
  const { code, stderr } = await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=Plantroom test', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', keyFile, '-out', certFile],
  ])
  if (code !== 0) throw new Error(`openssl: ${stderr}`)
  return { certFile, keyFile }
}
