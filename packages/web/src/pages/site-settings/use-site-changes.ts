import type { SiteChanges } from '@plantroom/client/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { administration } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'

/** Changes the site; who is signed in is asked for anew, since that names their sites. */
export function useSiteChanges(onDone: () => void = () => {}) {
  const { orgId, siteId } = useSite()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: SiteChanges) => administration.updateSite(orgId, siteId, changes),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['session'] })
      onDone()
    },
  })
}
