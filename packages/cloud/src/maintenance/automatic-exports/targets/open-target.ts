import type { TargetKind, TargetPlace } from '@plantroom/contract/automatic-exports'
import type { Transport } from '../../../platform/outbound/index.ts'
import { openFolder } from './folder.ts'
import { type Target, TargetFailure } from './target.ts'
import { openWebdav } from './webdav.ts'

export interface TargetDeps {
  transport: Transport
  /** The folder that the operator set; `undefined` offers no folders. */
  exportFolder: string | undefined
}

/** A place, whose it is, and its secret. */
export interface TargetOf {
  organizationId: string
  siteId: string
  place: TargetPlace
  secret: string | undefined
}

/** The kinds of targets that this service offers. */
export const offeredKinds = ({ exportFolder }: Pick<TargetDeps, 'exportFolder'>): TargetKind[] =>
  exportFolder === undefined ? ['s3', 'webdav'] : ['s3', 'webdav', 'folder']

/** Opens a target for a delivery or a test. */
export async function openTarget(target: TargetOf, { transport, exportFolder }: TargetDeps): Promise<Target> {
  const { organizationId, siteId, place, secret = '' } = target
  const way = { transport, group: organizationId }
  if (place.s3) {
    // Loaded only when used: the SDK takes 30 MB of memory.
    const { openS3 } = await import('./s3.ts')
    return openS3({ ...place.s3, secretAccessKey: secret }, way)
  }
  if (place.webdav) return openWebdav({ ...place.webdav, password: secret }, way)
  if (exportFolder === undefined) {
    throw new TargetFailure('this service offers no folder: ask the operator to set PLANTROOM_EXPORT_FOLDER')
  }
  return openFolder({ root: exportFolder, organizationId, siteId, path: place.folder?.path ?? '' })
}
