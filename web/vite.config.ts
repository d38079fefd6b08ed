/** Builds into `src/festina/page`: `index.html`, one file with all its code and styles; `topics.json`; with `--mode widget` the `widget.js` of notebooks. */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";
import { defineConfig } from "vitest/config";

const OUT = fileURLToPath(new URL("../src/festina/page", import.meta.url));

/**
 * Puts the script and the styles into the page, and a policy into its head that lets this script run and nothing else, and
 * lets nothing be fetched from anywhere.
 */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the build made no index.html");
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        if (file.type === "chunk") script += file.code;
        else if (name.endsWith(".css")) style += file.source;
        else throw new Error(`${name} would be a second file`);
        delete bundle[name];
      }
      // "</script" inside a string would end the element
      script = script.trim().replaceAll("</script", "<\\/script");
      const hash = createHash("sha256").update(script).digest("base64");
      const policy =
        `default-src 'none'; script-src 'sha256-${hash}'; worker-src blob:; style-src 'unsafe-inline'; ` +
        "img-src data: blob:; base-uri 'none'; form-action 'none'";
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<!--policy-->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace("</head>", () => `<style>${style.trim()}</style>\n</head>`)
        .replace("</body>", () => `<script type="module">${script}</script>\n</body>`);
      page.source = html;
    },
  };
}

/** Writes what Python needs to know of the topics: their settings, ranges and defaults. */
function settings(): Plugin {
  return {
    name: "settings",
    enforce: "post",
    async generateBundle() {
      const load = async <Module>(path: string) =>
        (await runnerImport<Module>(fileURLToPath(new URL(path, import.meta.url)))).module;
      const { topics } = await load<typeof import("./src/topics")>("src/topics/index.ts");
      const { controlsOf } = await load<typeof import("./src/state")>("src/state.ts");
      const described = topics.map((topic) => [
        topic.id,
        { title: topic.title, question: topic.question, controls: controlsOf(topic, {}) },
      ]);
      this.emitFile({
        type: "asset",
        fileName: "topics.json",
        source: `${JSON.stringify(Object.fromEntries(described), null, 1)}\n`,
      });
    },
  };
}

export default defineConfig(({ mode }) => ({
  // the built widget names its library, which may be a link
  resolve: { preserveSymlinks: true },
  plugins: mode === "widget" ? [] : [oneFile(), settings()],
  build: {
    outDir: OUT,
    emptyOutDir: false,
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    ...(mode === "widget" && {
      lib: { entry: "src/widget.ts", formats: ["es" as const], fileName: () => "widget.js" },
    }),
  },
  define: mode === "widget" ? { "process.env.NODE_ENV": '"production"' } : {},
  // no test leaves anything behind in the modules it loads
  test: { include: ["test/**/*.test.ts"], pool: "threads", isolate: false },
}));
