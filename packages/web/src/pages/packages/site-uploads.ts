import { notifications } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'
import { packagesOf } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { packages as texts } from '../../texts/packages.ts'
import { ownAddress } from './own-address.ts'
import { sendFile } from './send-file.ts'
import { createUploads } from './uploads.ts'

const keyOf = (orgId: string, siteId: string) => `${orgId}/${siteId}`

function clientOf(key: string) {
  const [orgId = '', siteId = ''] = key.split('/')
  return packagesOf(orgId, siteId)
}

const uploads = createUploads({
  addressFor: async (site, name) => ownAddress(await clientOf(site).uploadUrl(name)),
  sendFile,
  async startCheck(site, name) {
    const jobId = await clientOf(site).preview(name)
    if (!location.pathname.endsWith('/settings/packages')) {
      notifications.show({ title: texts.upload.doneAway(name), message: texts.upload.doneAwayHint })
    }
    return jobId
  },
  now: () => performance.now(),
})

window.addEventListener('beforeunload', (event) => {
  if (uploads.isSending()) event.preventDefault()
})

/** The upload of this site, whichever pages were looked at since it began. */
export function useUpload() {
  const { orgId, siteId } = useSite()
  const key = keyOf(orgId, siteId)
  const upload = useSyncExternalStore(uploads.subscribe, () => uploads.of(key))
  return {
    upload,
    start: (file: File, name: string) => void uploads.start(key, file, name),
    cancel: () => uploads.cancel(key),
    dismiss: () => uploads.dismiss(key),
  }
}
