import { notifications } from '@mantine/notifications'
import type { UploadPurpose } from '@plantroom/contract/uploads'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/service.ts'
import { useChange, useOperation } from '../../api/use-operation.ts'
import { useSite } from '../../api/use-site.ts'
import { type SiteIds, sendUpload } from './send-upload.ts'
import { createUploads, type UploadTask } from './uploads.ts'

const keyOf = (orgId: string, siteId: string) => `${orgId}/${siteId}`

function siteOf(key: string): SiteIds {
  const [orgId = '', propertyId = ''] = key.split('/')
  return { orgId, propertyId }
}

/** What follows the uploads of one page. */
interface AfterUpload<Task extends UploadTask> {
  purpose: UploadPurpose
  /** Starts the job that reads the files and returns its id. `uploadIds` are in the order of the files. */
  startJob(site: SiteIds, task: Task, uploadIds: readonly string[]): Promise<string>
  /** The end of the address of the page that shows the job. */
  page: string
  /** What to say to a person who has opened another page. */
  doneAway(name: string): { title: string; message: string }
}

type SiteUploads<Task extends UploadTask> = ReturnType<typeof createUploads<Task, string>>

/** Creates the uploads of one page, one per site. They survive visits to other pages. */
export function createSiteUploads<Task extends UploadTask>(after: AfterUpload<Task>): SiteUploads<Task> {
  const uploads = createUploads<Task, string>({
    send: (site, file, options) => sendUpload(siteOf(site), file, after.purpose, options),
    async discard(site, name) {
      const { uploads: unfinished } = await api.listUploads({ ...siteOf(site), query: { purpose: after.purpose } })
      const found = unfinished.find(({ filename }) => filename === name)
      if (found) await api.removeUpload({ ...siteOf(site), uploadId: found.uploadId })
    },
    async startJob(site, task, uploadIds) {
      const jobId = await after.startJob(siteOf(site), task, uploadIds)
      if (!location.pathname.endsWith(after.page)) notifications.show(after.doneAway(task.files[0]?.name ?? ''))
      return jobId
    },
    now: () => performance.now(),
  })

  window.addEventListener('beforeunload', (event) => {
    if (uploads.isSending()) event.preventDefault()
  })

  return uploads
}

/** The upload of this site. */
export function useSiteUpload<Task extends UploadTask>(uploads: SiteUploads<Task>) {
  const { orgId, siteId } = useSite()
  const key = keyOf(orgId, siteId)
  const upload = useSyncExternalStore(uploads.subscribe, () => uploads.of(key))
  return {
    upload,
    start: (task: Task) => void uploads.start(key, task),
    pause: () => uploads.pause(key),
    cancel: () => void uploads.cancel(key),
    replace: () => void uploads.replace(key),
    dismiss: () => uploads.dismiss(key),
  }
}

/** The uploads of the site that were interrupted, by anyone. */
export function useUnfinishedUploads(purpose: UploadPurpose) {
  // Not cached: another tab may have continued them.
  const { data } = useOperation('listUploads', { query: { purpose } }, { gcTime: 0, staleTime: 0 })
  const { mutateAsync } = useChange('removeUpload')
  return { unfinished: data?.uploads ?? [], remove: (uploadId: string) => mutateAsync({ uploadId }) }
}
