/** The package types its index only, which has six thousand icons; the console imports each icon from its own file. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { Icon } from '@tabler/icons-react'

  const icon: Icon
  // biome-ignore lint/style/noDefaultExport: the package exports its icons so
  export default icon
}
