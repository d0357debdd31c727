import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const PAGE = join(import.meta.dirname, 'index.html')
const START = join(import.meta.dirname, 'src/start.tsx')

/**
 * Lets the page paint its frame at once, and fetch all of the first load together: the script that chooses the colors is
 * part of the page (the service names its hash in the content policy), and styles come after the frame.
 */
const firstPaint: Plugin = {
  name: 'first-paint',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const theme = readFileSync(join(import.meta.dirname, 'public/theme.js'), 'utf8')
      const chunks = startChunks(bundle)
      const link = (rel: string, file: string) => `<link rel="${rel}" crossorigin href="/${file}">`
      const styles = [
        ...(html.match(/<link rel="stylesheet"[^>]*>/g) ?? []),
        ...chunks
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
          .map((file) => link('stylesheet', file)),
      ]
      return styles
        .reduce((page, style) => page.replace(style, ''), html)
        .replace('<script src="/theme.js"></script>', () => `<script>${theme}</script>`)
        .replace('</head>', `${chunks.map(({ fileName }) => link('modulepreload', fileName)).join('')}</head>`)
        .replace('</body>', `${[...new Set(styles)].join('')}</body>`)
    },
  },
}

/** Brings the styles of a Mantine component with its script. All of them together are a seventh of the first load. */
const componentStyles: Plugin = {
  name: 'component-styles',
  apply: 'build',
  transform: {
    filter: { id: /@mantine\/core\/esm\/.*\.module\.mjs$/ },
    handler(code, id) {
      const [, name] = /(\w+)\.module\.mjs$/.exec(id) ?? []
      return { code: `import '@mantine/core/styles/${name}.layer.css'\n${code}`, map: null }
    },
  },
}

/** What components are built on. */
const BELOW_OTHERS =
  /styles\/(baseline|global|UnstyledButton|Paper|Popover|Group|Overlay|ModalBase|Input|InlineInput|Flex)\.layer\.css$/

/**
 * Puts these styles below those of all components. Styles of the first load stand at the end of the page,
 * so those of a menu that loads later would lose against those of the button that it is made of.
 */
const styleOrder: Plugin = {
  name: 'style-order',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: BELOW_OTHERS },
    handler: (code) => ({ code: code.replace('@layer mantine {', '@layer mantine.below {'), map: null }),
  },
}

/** The chunks of the page, which the first script imports once it has its texts. */
function startChunks(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const found = new Map<string, Rolldown.OutputChunk>()
  const visit = (file: string) => {
    const chunk = bundle[file]
    if (found.has(file) || chunk?.type !== 'chunk') return
    found.set(file, chunk)
    chunk.imports.forEach(visit)
  }
  for (const chunk of Object.values(bundle)) {
    if (chunk.type === 'chunk' && chunk.facadeModuleId === START) visit(chunk.fileName)
  }
  return [...found.values()]
}

/** Finds the modules that the first script needs before it runs. */
function mainModules(modules: Rolldown.ChunkingContext): Set<string> {
  const seen = new Set<string>()
  const visit = (id: string) => {
    if (seen.has(id)) return
    seen.add(id)
    modules.getModuleInfo(id)?.importedIds.forEach(visit)
  }
  visit(PAGE)
  return seen
}
let ofMain: Set<string> | undefined

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), componentStyles, styleOrder, firstPaint],
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // Inlined images would need a content security policy that allows data: URLs.
    assetsInlineLimit: 0,
    // The polyfill is only for browsers that the console does not support.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [PAGE, START],
      output: {
        codeSplitting: {
          // Each request takes a round trip, so the first load has few scripts. The first one runs before the texts are
          // there, and must not run the page with it.
          groups: [
            {
              debugName: 'main',
              priority: 2,
              name(id, modules) {
                ofMain ??= mainModules(modules)
                return ofMain.has(id) ? 'main' : null
              },
            },
            { name: 'start', tags: ['$initial'], priority: 1 },
            // What other pages share is in few files, too.
            {
              name: 'components',
              test: /@mantine|@floating-ui|react-(remove-scroll|transition|number)/,
              minShareCount: 2,
            },
            { name: 'contract', test: /packages\/(contract|client)\//, minShareCount: 2 },
            { name: 'parts', test: /web\/src\/(parts|texts|api|live)\//, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    // Forwards API requests to a running demo, for work on the console.
    proxy: Object.fromEntries(
      ['/api', '/uploads', '/downloads', '/docs', '/help', '/schemas', '/openapi.json'].map((path) => [
        path,
        // Keep the host name: the service refuses requests from other origins.
        { target: 'http://127.0.0.1:8080', changeOrigin: false },
      ]),
    ),
  },
})
