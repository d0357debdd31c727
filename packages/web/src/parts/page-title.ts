import { useEffect } from 'react'
import { common } from '../texts/common.ts'

/** What the tab of the browser says while the part is shown. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${common.product}` : common.product
  }, [title])
}
