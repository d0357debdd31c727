import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import {
  type Check,
  checkCertificate,
  checkDisk,
  checkFolder,
  checkPort,
  checkTimeZones,
  type Finding,
  mayOpenLowPorts,
  ok,
  problem,
  readUnit,
  skipped,
  warning,
} from '@plantroom/base/diagnosis'
import { lockFolder } from '@plantroom/base/folder-lock'
import { readLocalService } from '@plantroom/base/local-service'
import type { CloudConfig } from '../config.ts'
import type { DatabaseAddress } from '../platform/db/database.ts'
import { embeddedProblem } from '../platform/db/embedded/binaries.ts'
import { runningServer } from '../platform/db/embedded/running-server.ts'
import {
  type Answerer,
  checkAnnouncements,
  checkBroker,
  checkDatabase,
  checkProvider,
  checkPublicUrl,
  checkTraces,
  checkWorker,
  DATABASE_REMEDY,
  whoAnswers,
} from '../platform/doctor/index.ts'
import { probeBucket } from '../platform/files/index.ts'
import { verifyMailServer } from '../platform/mail/index.ts'
import { exposureWarnings, localUrl } from './address.ts'

const GB = 1_000_000_000

/** Everything that the cloud and its workers need on this machine and around it. */
export function cloudChecks(config: CloudConfig, clock: Clock): Check[] {
  return [
    {
      name: 'data folder',
      run: async () => [...(await checkFolder(config.folder)), ...(await holderFindings(config))],
      remedy: 'check the disk of the data folder',
    },
    {
      name: 'disk',
      run: () => checkDisk(config.folder, { enough: 5 * GB, little: GB / 2 }),
      remedy: 'check the disk of the data folder',
    },
    { name: 'time zones', run: async () => checkTimeZones(), remedy: 'use a Node with complete ICU data' },
    ...portChecks(config),
    ...databaseChecks(config, clock),
    ...peerChecks(config, clock),
    { name: 'exposure', run: async () => exposure(config), remedy: '' },
  ]
}

/** With the embedded database, one cloud process has the folder for itself. */
async function holderFindings(config: CloudConfig): Promise<Finding[]> {
  const { folder, databaseUrl } = config
  if (databaseUrl || !existsSync(join(folder, 'lock'))) return []
  const release = lockFolder(folder)
  release?.()
  if (release) return []
  if ((await answerer(config)) === 'ours') return [ok('the running cloud has it')]
  const remedy = 'it is starting, or has another port: stop it, or set PLANTROOM_DATA to another folder'
  return [warning('another process has it and does not answer at the port of this cloud', remedy)]
}

/** Who answers where the settings say that this service is. */
const answerer = (config: CloudConfig): Promise<Answerer> =>
  whoAnswers(localUrl(config, config.port), {
    instance: readLocalService(config.folder)?.instance,
    certificate: config.tls?.cert,
  })

function portChecks(config: CloudConfig): Check[] {
  const { host, port, mqttPort, mqttUrl, folder } = config
  const listener = () => answerer(config)
  const remedy = 'check the host and the port'
  return [
    {
      name: 'http port',
      run: async () => {
        const unit = await readUnit('plantroom-cloud', folder)
        const place = { host, port, setting: 'PLANTROOM_PORT' }
        return checkPort({ ...place, listener, mayOpenLowPorts: mayOpenLowPorts(unit) })
      },
      remedy,
    },
    { name: 'service', run: async () => serviceFinding(config), remedy },
    ...(mqttUrl
      ? []
      : [
          {
            name: 'mqtt port',
            run: () => checkPort({ host, port: mqttPort, setting: 'PLANTROOM_MQTT_PORT', listener }),
            remedy,
          },
        ]),
  ]
}

/** Whether the process that runs, if one does, has these settings. */
async function serviceFinding(config: CloudConfig): Promise<Finding> {
  const running = readLocalService(config.folder)
  if (!running) return skipped('no cloud has run with this data folder yet, or this user may not look into it')
  const certificate = running.certificate === null ? undefined : Buffer.from(running.certificate)
  if ((await whoAnswers(running.url, { instance: running.instance, certificate })) !== 'ours') {
    return warning(
      `the cloud does not answer at ${running.url}, its last address`,
      'start it; its log says why it ended',
    )
  }
  const wanted = localUrl(config, config.port)
  if (config.port === 0 || running.url === wanted) return ok(`the cloud answers at ${running.url}`)
  return warning(`the cloud still runs at ${running.url}, and the settings say ${wanted}`, 'restart it')
}

/** The address of the database, or of the embedded one if it runs. */
export async function databaseAddress({ databaseUrl, folder }: CloudConfig): Promise<DatabaseAddress | undefined> {
  return databaseUrl ? { connectionString: databaseUrl } : runningServer(join(folder, 'postgres'))
}

function databaseChecks(config: CloudConfig, clock: Clock): Check[] {
  // The other checks wait for this one: what the database does not answer, they cannot find out either.
  const answered = Promise.withResolvers<{ address: DatabaseAddress; clock: Finding } | undefined>()
  const afterwards = async (use: (address: DatabaseAddress) => Promise<Finding>) => {
    const found = await answered.promise
    return found ? use(found.address) : skipped('the database did not answer')
  }
  return [
    {
      name: 'database',
      async run() {
        try {
          const address = await databaseAddress(config)
          const none = config.databaseUrl ? undefined : embeddedProblem()
          if (none !== undefined) return problem(none, 'set DATABASE_URL to a PostgreSQL of your own')
          if (address === undefined) return skipped('the embedded database does not run; "plantroom cloud" starts it')
          const found = await checkDatabase(address, clock)
          answered.resolve({ address, clock: found.clock })
          return found.database
        } finally {
          answered.resolve(undefined)
        }
      },
      remedy: config.databaseUrl
        ? DATABASE_REMEDY
        : 'the log of "plantroom cloud" says why its database does not answer; run this as the user of the service',
    },
    {
      name: 'clock',
      run: async () => (await answered.promise)?.clock ?? skipped('the database did not answer'),
      remedy: 'synchronize the clock with a time server',
    },
    {
      name: 'changes',
      run: () =>
        afterwards((address) =>
          checkAnnouncements(address, config.listenUrl ? { connectionString: config.listenUrl } : address, clock),
        ),
      remedy: config.listenUrl ? 'check PLANTROOM_LISTEN_URL' : DATABASE_REMEDY,
    },
    { name: 'worker', run: () => afterwards((address) => checkWorker(address, clock)), remedy: DATABASE_REMEDY },
  ]
}

function peerChecks(config: CloudConfig, clock: Clock): Check[] {
  const { mqttUrl, s3, smtp, tls, publicUrl, oidc, traces, folder } = config
  const checks: (Check | undefined)[] = [
    mqttUrl
      ? { name: 'broker', run: () => checkBroker(mqttUrl), remedy: 'check that the broker runs, and MQTT_URL' }
      : undefined,
    s3 && {
      name: 's3',
      run: async (signal) => {
        await probeBucket(s3, signal)
        return ok(`an object can be written, read and deleted in ${s3.bucket}`)
      },
      remedy:
        'check S3_BUCKET, S3_ENDPOINT, S3_REGION and the permissions of the key (s3:PutObject, s3:GetObject, s3:DeleteObject)',
    },
    smtp
      ? {
          name: 'smtp',
          run: async () => {
            await verifyMailServer(smtp)
            return ok('the mail server accepts the connection and the login; no mail was sent')
          },
          remedy: 'check the host, the port, smtp: or smtps:, the name and the password in SMTP_URL',
        }
      : { name: 'smtp', run: async () => skipped('SMTP_URL is not set: mail stays in the outbox'), remedy: '' },
    tls && {
      name: 'tls',
      run: async () => [
        ...checkCertificate({ ...tls, hostname: publicUrl && new URL(publicUrl).hostname, now: clock.now() }),
        ...(await keyFileFindings(config)),
      ],
      remedy: 'check PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY',
    },
    publicUrl !== undefined
      ? {
          name: 'public address',
          async run(signal) {
            const { reach, clock: offset } = await checkPublicUrl(
              publicUrl,
              readLocalService(folder)?.instance,
              clock,
              signal,
            )
            return offset === undefined || offset.level === 'ok' ? reach : [reach, offset]
          },
          remedy: 'check PLANTROOM_PUBLIC_URL',
        }
      : undefined,
    oidc && {
      name: 'sign-in',
      run: (signal) => checkProvider(oidc.issuer, signal),
      remedy: 'check PLANTROOM_OIDC_ISSUER',
    },
    traces && {
      name: 'traces',
      run: (signal) => checkTraces(traces, signal),
      remedy: 'check OTEL_EXPORTER_OTLP_ENDPOINT',
    },
  ]
  return checks.filter((check) => check !== undefined)
}

async function keyFileFindings({ environment }: CloudConfig): Promise<Finding[]> {
  const path = environment.PLANTROOM_TLS_KEY
  if (!path || !existsSync(path)) return []
  const { mode } = await stat(path)
  return (mode & 0o004) === 0 ? [] : [warning(`everyone on this machine can read ${path}`, `chmod o= ${path}`)]
}

/** The warnings that the cloud logs when it starts. */
function exposure(config: CloudConfig): Finding[] {
  const warnings = exposureWarnings(config)
  return warnings.length === 0
    ? [ok('the settings expose nothing')]
    : warnings.map((text) => ({ level: 'warning', text }))
}
