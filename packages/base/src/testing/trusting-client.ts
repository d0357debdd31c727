/** Trusts the certificate in a file, then prints for each address what fetch says. */
import { readFileSync } from 'node:fs'
import { trustCertificate } from '../local-service.ts'

const [file = '', ...urls] = process.argv.slice(2)
trustCertificate(readFileSync(file, 'utf8'))
for (const url of urls) {
  const answer = await fetch(url).then(
    (reply) => String(reply.status),
    (error: { cause?: { code?: string } }) => error.cause?.code ?? 'unknown',
  )
  process.stdout.write(`${answer}\n`)
}
