import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import { sendPackage } from './send-package.ts'
import { createUploads } from './uploads.ts'

const keyOf = (orgId: string, siteId: string) => `${orgId}/${siteId}`

function siteOf(key: string) {
  const [orgId = '', propertyId = ''] = key.split('/')
  return { orgId, propertyId }
}

const uploads = createUploads({
  send: (site, file, name, options) => sendPackage(siteOf(site), file, name, options),
  async discard(site, name) {
    const { uploads: unfinished } = await api.listUploads(siteOf(site))
    const found = unfinished.find(({ filename }) => filename === name)
    if (found) await api.removeUpload({ ...siteOf(site), uploadId: found.uploadId })
  },
  async startCheck(site, name) {
    const { jobId } = await api.startPreview({ ...siteOf(site), body: { filename: name } })
    if (!location.pathname.endsWith('/settings/packages')) {
      notifications.show({ title: format(packages.upload.doneAway, { name }), message: packages.upload.doneAwayHint })
    }
    return jobId
  },
  now: () => performance.now(),
})

window.addEventListener('beforeunload', (event) => {
  if (uploads.isSending()) event.preventDefault()
})

/** The upload of this site. It survives visits to other pages. */
export function useUpload() {
  const { orgId, siteId } = useSite()
  const key = keyOf(orgId, siteId)
  const upload = useSyncExternalStore(uploads.subscribe, () => uploads.of(key))
  return {
    upload,
    start: (file: File, name: string) => void uploads.start(key, file, name),
    pause: () => uploads.pause(key),
    cancel: () => void uploads.cancel(key),
    replace: () => void uploads.replace(key),
    dismiss: () => uploads.dismiss(key),
  }
}

/** The uploads of the site that were interrupted, by anyone. */
export function useUnfinishedUploads() {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  const site = { orgId, propertyId: siteId }
  const queryKey = ['unfinished-uploads', orgId, siteId]
  // Not cached: another tab may have continued them.
  const { data } = useQuery({ queryKey, queryFn: () => api.listUploads(site), gcTime: 0, staleTime: 0 })
  return {
    unfinished: data?.uploads ?? [],
    async remove(uploadId: string) {
      await api.removeUpload({ ...site, uploadId })
      await client.invalidateQueries({ queryKey })
    },
  }
}
