/** The content policy allows a `<style>` in the page only with this response's nonce. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

// The library that stops the page from scrolling behind a dialog writes its own `<style>` and looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
