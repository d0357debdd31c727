import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathOf } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import { type ChainLine, type ChainOwner, createChainCheck, type Verdict } from '../audit/verify-chain.ts'
import { administration, deviceOf, operatorClient } from '../clients.ts'
import { COMMON_FLAGS, flag, ReportedFailure, repeated, UsageError, valued } from '../command.ts'
import type { Flags } from '../config.ts'
import { command, verb } from '../declare.ts'
import { print } from '../output.ts'

const FILE = { name: 'FILE', completes: 'file' } as const

export const audit = command('audit', {
  group: 'history',
  about: 'export the signed audit of a device or the signed activity, and verify one without the service',
  notes: `verify exits with 0 if every entry is as it was signed. Otherwise it exits with 1 and names the first entry that was changed, removed or added.
A file cannot show that its newest entries are missing: compare the last number with the newest entry on the controller.`,
  verbs: {
    export: verb({
      about: 'write the audit of a device, or the activity, as it was signed',
      arguments: [FILE],
      options: {
        ...COMMON_FLAGS,
        device: valued('DEVICE', 'the audit of this device, by id or name (PLANTROOM_DEVICE)', { completes: 'device' }),
        activity: flag('the activity of the organization instead'),
        service: flag('the activity that belongs to no organization instead'),
      },
      json: '{file}',
      async run(flags, { FILE }) {
        if ([flags.device, flags.activity, flags.service].filter((one) => one !== undefined).length > 1) {
          throw new UsageError('give only one of --device ID, --activity and --service')
        }
        const { config } = operatorClient(flags)
        const path = await chainPath(flags)
        const answer = await fetch(`${config.url}${path}`, {
          headers: { authorization: `Bearer ${config.adminToken}` },
        })
        if (!answer.ok || !answer.body) throw new ApiError(answer.status, (await answer.json()) as { message: string })
        await pipeline(Readable.fromWeb(answer.body), createWriteStream(FILE))
        print(flags.json, { file: FILE }, () => `wrote ${FILE}; check it with: plantroom audit verify ${FILE}`)
      },
    }),
    verify: verb({
      about: 'check such a file, without the service',
      arguments: [FILE],
      options: {
        json: COMMON_FLAGS.json,
        key: repeated(
          'FINGERPRINT',
          'the key must be this one, of your controller or service: its log shows it. A controller that was replaced has a key of its own: give one for each',
        ),
      },
      json: '{deviceId or organizationId, entries, first, last, keys, misfit}',
      async run(flags, { FILE }) {
        const { owner, verdict } = await readChain(
          FILE,
          (flags.key ?? []).map((key) => key.toLowerCase()),
        )
        print(flags.json, { ...owner, ...verdict }, () => describe(nameOf(owner), verdict))
        if (verdict.misfit) throw new ReportedFailure()
      },
    }),
  },
})

async function chainPath(flags: Flags & { activity?: boolean; service?: boolean }): Promise<string> {
  const format = 'chain'
  if (flags.service) return pathOf('listServiceActivity', { query: { format } })
  const { orgId, deviceId, config } = await administration(flags)
  if (flags.activity) return pathOf('listActivity', { orgId, query: { format } })
  return pathOf('listReports', { orgId, query: { deviceId: await deviceId(deviceOf(config)), format } })
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
