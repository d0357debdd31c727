import {
  type AutomaticExport,
  type ExportSchedule,
  type ExportTarget,
  type GivenAutomaticExport,
  type GivenTarget,
  TARGET_KINDS,
  type TargetKind,
} from '@plantroom/contract/automatic-exports'
import { automaticExport } from '../../../texts/automatic-export.ts'
import { format } from '../../../texts/format.ts'

const texts = automaticExport.form

/** A target as a person enters it. Fields of other kinds keep what was typed. */
export interface TargetForm {
  /** For React: targets have no other name. */
  key: number
  id?: string | undefined
  kind: TargetKind
  endpoint: string
  region: string
  bucket: string
  prefix: string
  accessKeyId: string
  url: string
  user: string
  path: string
  secret: string
  hasSecret: boolean
}

export interface ExportForm {
  enabled: boolean
  every: ExportSchedule['every']
  hours: number | string
  at: string
  weekday: NonNullable<ExportSchedule['weekday']>
  day: number | string
  keep: number | string
  unit: 'packages' | 'days'
  targets: readonly TargetForm[]
}

export const newTarget = (key: number): TargetForm => ({
  key,
  kind: 's3',
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  url: '',
  user: '',
  path: '',
  secret: '',
  hasSecret: false,
})

/** The form of a stored export, or of a new one. */
export function formOf(stored: AutomaticExport | null): ExportForm {
  const { every = 'day', hours = 24, at = '02:00', weekday = 'sun', day = 1 } = stored?.schedule ?? {}
  const { keep = 14, unit = 'packages' } = stored?.retention ?? {}
  const targets = stored?.targets.map(targetForm) ?? [newTarget(0)]
  return { enabled: stored?.enabled ?? true, every, hours, at, weekday, day, keep, unit, targets }
}

function targetForm({ id, s3, webdav, folder }: ExportTarget, key: number): TargetForm {
  const empty = { ...newTarget(key), id, hasSecret: true }
  if (s3) return { ...empty, ...s3, kind: 's3', endpoint: s3.endpoint ?? '', prefix: s3.prefix ?? '' }
  if (webdav) return { ...empty, ...webdav, kind: 'webdav' }
  return { ...empty, kind: 'folder', path: folder?.path ?? '' }
}

/** What the service takes. */
export function bodyOf(form: ExportForm): GivenAutomaticExport {
  const { enabled, every, at, weekday, keep, unit } = form
  const schedule: Readonly<Record<ExportSchedule['every'], ExportSchedule>> = {
    hours: { every: 'hours', hours: Number(form.hours) },
    day: { every: 'day', at },
    week: { every: 'week', weekday, at },
    month: { every: 'month', day: Number(form.day), at },
  }
  const retention = { keep: Number(keep), unit }
  return { enabled, schedule: schedule[every], retention, targets: form.targets.map(givenOf) }
}

/** A target as the service takes it. An empty secret keeps the stored one. */
export function givenOf(target: TargetForm): GivenTarget {
  const { id, kind, endpoint, region, bucket, prefix, accessKeyId, url, user, path, secret } = target
  const known = id === undefined ? {} : { id }
  if (kind === 'folder') return { ...known, folder: { path: path.trim() } }
  if (kind === 'webdav') {
    return { ...known, webdav: { url: url.trim(), user: user.trim(), ...(secret && { password: secret }) } }
  }
  const s3 = { endpoint: endpoint.trim() || null, region: region.trim(), bucket: bucket.trim(), prefix: prefix.trim() }
  return { ...known, s3: { ...s3, accessKeyId: accessKeyId.trim(), ...(secret && { secretAccessKey: secret }) } }
}

/** A stored target, as the service takes it back for a test. */
export const givenAgain = (target: ExportTarget): GivenTarget => givenOf(targetForm(target, 0))

export type TargetErrors = Partial<Record<keyof TargetForm, string>>

/** What a person has to fill in or correct in a target, by field. */
export function errorsOfTarget(target: TargetForm): TargetErrors {
  const isEmpty = (name: 'region' | 'bucket' | 'accessKeyId' | 'user' | 'secret') => target[name].trim() === ''
  const isAddress = (text: string) => /^https?:\/\//i.test(text.trim())
  const errors: TargetErrors = {}
  if (target.kind === 's3') {
    for (const name of ['region', 'bucket', 'accessKeyId'] as const) if (isEmpty(name)) errors[name] = texts.required
    if (target.endpoint.trim() !== '' && !isAddress(target.endpoint)) errors.endpoint = texts.noAddress
  }
  if (target.kind === 'webdav') {
    if (!isAddress(target.url)) errors.url = texts.noAddress
    if (isEmpty('user')) errors.user = texts.required
  }
  if (target.kind !== 'folder' && !target.hasSecret && isEmpty('secret')) errors.secret = texts.required
  return errors
}

/** What a person has to correct in the schedule and the retention, by field. */
export function errorsOfForm({ every, hours, at, day, keep }: ExportForm) {
  const whole = (value: number | string, least: number, most: number) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : format(texts.notANumber, { least, most })
  return {
    hours: every === 'hours' ? whole(hours, 1, 168) : undefined,
    at: every !== 'hours' && at === '' ? texts.required : undefined,
    day: every === 'month' ? whole(day, 1, 31) : undefined,
    keep: whole(keep, 1, 1000),
  }
}

export const hasErrors = (form: ExportForm) =>
  Object.values(errorsOfForm(form)).some(Boolean) ||
  form.targets.some((target) => Object.keys(errorsOfTarget(target)).length > 0)

/** The kinds to choose from: also one that is no longer offered, while it is chosen. */
export const kindsFor = (offered: readonly TargetKind[], chosen: TargetKind) =>
  TARGET_KINDS.filter((kind) => kind === chosen || offered.includes(kind))
