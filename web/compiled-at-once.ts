import type { Plugin } from 'vite';

/**
 * Tells V8 to compile all functions of a page's first file while it arrives, beside the page's own thread. Otherwise that thread
 * compiles each at its first call, and half of them are called before the overview is shown. To other browsers it is a comment.
 */
export function compiledAtOnce(): Plugin {
  return {
    name: 'compiled-at-once',
    apply: 'build',
    generateBundle: {
      // V8 looks for it at the very beginning, where Vite puts the names of other files in this phase.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.facadeModuleId?.endsWith('.html'))
            file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}
