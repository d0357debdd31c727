import { pathOf } from '@plantroom/client/client'
import type { Alert } from '@plantroom/contract/alerts'
import { type GivenAttachments, stepsOf } from '@plantroom/contract/api'
import { api } from '../../api/service.ts'
import { seriesOf } from '../../parts/chart/chart-content.ts'
import { chartImage } from '../../parts/chart/chart-image.ts'
import { ownAddress, sendFile } from '../../parts/send-file.ts'
import { serviceNow } from '../../service-clock.ts'
import { alertWork as texts } from '../../texts/alert-work.ts'
import { type Evidence, evidenceOf } from './evidence-of.ts'

/** A request is made without a file that takes longer. */
const PATIENCE_MS = 15_000
const POINTS = 1500

export interface AttachedEvidence {
  attachments: GivenAttachments
  /** The names of files that could not be made or uploaded. */
  missing: string[]
}

interface Where {
  orgId: string
  siteId: string
  timeZone: string
}

/** Uploads the chart and the audit entries of an alert. Never fails: says what is missing. */
export async function attachEvidence(alert: Alert, where: Where): Promise<AttachedEvidence> {
  const { deviceId } = alert
  if (deviceId === null) return { attachments: [], missing: [] }
  const now = serviceNow()
  const load = async () => (await api.listTechnicalSystems({ orgId: where.orgId, deviceId })).technicalSystems
  const evidence = evidenceOf(alert, await load().catch(() => []), now)
  if (!evidence) return { attachments: [], missing: [] }
  const wanted = [
    ...(evidence.sources.length > 0 ? [{ name: texts.chartFile, make: () => chartOf(evidence, where, now) }] : []),
    { name: texts.auditFile, make: () => auditOf(evidence, where) },
  ]
  const done = await Promise.allSettled(wanted.map(({ name, make }) => inTime(attach(name, make, where))))
  return {
    attachments: done.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    missing: wanted.filter((_, at) => done[at]?.status === 'rejected').map(({ name }) => name),
  }
}

async function attach(name: string, make: () => Promise<Blob>, { orgId, siteId }: Where) {
  const file = await make()
  const { uploadId, url } = await api.getAttachmentUploadUrl({ orgId, propertyId: siteId, query: { size: file.size } })
  await sendFile(ownAddress(url), file, () => {}).done
  return { uploadId, name, contentType: file.type || null }
}

async function chartOf({ sources, period, audit }: Evidence, { orgId, timeZone }: Where, now: number): Promise<Blob> {
  const query = { from: iso(period.from), to: iso(period.to) }
  const { reports } = await api.listReports({ orgId, query: { ...audit, ...query, limit: 1000 } })
  const series = await Promise.all(
    sources.map(async (source, color) => {
      const { deviceId, datapointId } = source
      const reply = await api.listMeasurements({ orgId, deviceId, datapointId, query: { ...query, points: POINTS } })
      const known = { steps: stepsOf(reply), entries: reports, since: period.from }
      return seriesOf({ source, color, ...known, now, timeZone })
    }),
  )
  return chartImage(series, period, { timeZone, now })
}

async function auditOf({ audit, period }: Evidence, { orgId }: Where): Promise<Blob> {
  const query = { format: 'csv', ...audit, from: iso(period.from), to: iso(period.to) } as const
  const reply = await fetch(pathOf('listReports', { orgId, query }))
  if (!reply.ok) throw new Error(`the service answered ${reply.status}`)
  return new Blob([await reply.blob()], { type: 'text/csv' })
}

/** Rejects when a file takes too long: its request must not wait for it. */
function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), PATIENCE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const iso = (ms: number) => new Date(ms).toISOString()
