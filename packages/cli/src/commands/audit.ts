import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathOf } from '@plantroom/client/client'
import { type ChainLine, type ChainOwner, createChainCheck, type Verdict } from '../audit/verify-chain.ts'
import { deviceOf, operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals, ReportedFailure, UsageError } from '../command.ts'
import type { CliConfig } from '../config.ts'
import { print } from '../output.ts'

const FLAGS = {
  ...COMMON_FLAGS,
  device: { type: 'string' },
  activity: { type: 'boolean' },
  service: { type: 'boolean' },
} as const

export const audit: Command = {
  usage: `plantroom audit export FILE --device ID      write the audit of a device as it was signed
plantroom audit export FILE --activity        write the activity of the organization as it was signed
plantroom audit export FILE --service         write the activity that belongs to no organization
plantroom audit verify FILE [--key FINGERPRINT]…
                                              check such a file, without the service

Exit code 0: every entry is as it was signed. Exit code 1: it names the first entry that was changed, removed
or added. With --key, the key must be the one of your controller or service: its log shows the fingerprint. A
controller that was replaced has a key of its own: give --key once for each. A file
cannot show that its newest entries are missing: compare the last number with the newest entry on the controller.`,
  run: byVerb({ export: exportAudit, verify: verifyAudit }),
}

async function exportAudit(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, FLAGS)
  const { FILE } = positionals(given, 'FILE')
  if ([flags.device, flags.activity, flags.service].filter((one) => one !== undefined).length > 1) {
    throw new UsageError('give only one of --device ID, --activity and --service')
  }
  const { config } = operatorClient(flags)
  const path = chainPath(flags, config)
  const answer = await fetch(`${config.url}${path}`, { headers: { authorization: `Bearer ${config.adminToken}` } })
  if (!answer.ok || !answer.body) throw new Error(((await answer.json()) as { message: string }).message)
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(FILE))
  print(flags.json, { file: FILE }, () => `wrote ${FILE}; check it with: plantroom audit verify ${FILE}`)
}

function chainPath(flags: { device?: string; activity?: boolean; service?: boolean }, config: CliConfig): string {
  const format = 'chain'
  if (flags.service) return pathOf('listServiceActivity', { query: { format } })
  const orgId = organizationOf(config)
  if (flags.activity) return pathOf('listActivity', { orgId, query: { format } })
  return pathOf('listReports', { orgId, query: { deviceId: flags.device ?? deviceOf(config), format } })
}

async function verifyAudit(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: given } = parse(args, {
    ...COMMON_FLAGS,
    key: { type: 'string', multiple: true },
  })
  const { FILE } = positionals(given, 'FILE')
  const { owner, verdict } = await readChain(
    FILE,
    (flags.key ?? []).map((key) => key.toLowerCase()),
  )
  print(flags.json, { ...owner, ...verdict }, () => describe(nameOf(owner), verdict))
  if (verdict.misfit) throw new ReportedFailure()
}

function nameOf(owner: ChainOwner): string {
  if ('deviceId' in owner) return `device ${owner.deviceId}`
  return owner.organizationId === null ? 'the service' : `organization ${owner.organizationId}`
}

function describe(owner: string, { entries, first = 0, keys, misfit }: Verdict): string {
  if (misfit) return `NOT intact: ${misfit.problem} (${owner})`
  if (entries === 0) return `the file has no entries of ${owner}`
  const earlier =
    first > 1 ? `\nit begins with entry ${first}: earlier ones are from before the audit was signed, or missing` : ''
  return `intact: ${entries} entries of ${owner}\nkey ${keys.join(', ')}${earlier}`
}

async function readChain(file: string, fingerprints: readonly string[]) {
  await access(file, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${code}): check the path`)
  })
  let owner: ChainOwner | undefined
  let check: ReturnType<typeof createChainCheck> | undefined
  let number = 0
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    try {
      const line = JSON.parse(text) as Partial<ChainLine> & {
        plantroomAudit?: number
        deviceId?: unknown
        organizationId?: unknown
      }
      if (check && typeof line.entry === 'string') {
        check.add({ entry: line.entry, signed: line.signed })
      } else if (!check && line.plantroomAudit === 1) {
        owner = ownerIn(line)
        check = createChainCheck({ owner, fingerprints })
      } else {
        throw new Error('unexpected line')
      }
    } catch {
      throw new Error(`line ${number} of ${file} is not part of an exported audit: export it again`)
    }
  }
  if (!check || !owner) throw new Error(`${file} is empty: export the audit again`)
  return { owner, verdict: check.verdict() }
}

function ownerIn({ deviceId, organizationId }: { deviceId?: unknown; organizationId?: unknown }): ChainOwner {
  if (typeof deviceId === 'string') return { deviceId }
  if (typeof organizationId === 'string' || organizationId === null) return { organizationId }
  throw new Error('the first line does not say whose chain it is')
}
