import { api } from '../../api/service.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'
import { createSiteUploads } from './site-uploads.ts'

/** Uploads of packages, which are checked when they are complete. */
export const packageUploads = createSiteUploads({
  purpose: 'import',
  async startJob(site, { files }) {
    const { jobId } = await api.startPreview({ ...site, body: { filename: files[0]?.name ?? '' } })
    return jobId
  },
  page: '/settings/packages',
  doneAway: (name) => ({ title: format(packages.upload.doneAway, { name }), message: packages.upload.doneAwayHint }),
})
