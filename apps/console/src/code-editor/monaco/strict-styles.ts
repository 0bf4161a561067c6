// What the build puts into Monaco in place of style elements and of styles in HTML: see build/strict-monaco.ts.

/** Stands where a style element would: its sheet counts for the page, or the shadow tree, that it is in. */
class AdoptedStyle extends HTMLElement {
  readonly sheet = new CSSStyleSheet();
  #adopter: DocumentOrShadowRoot | null = null;

  override set textContent(css: string) {
    this.sheet.replaceSync(css);
  }

  connectedCallback(): void {
    this.#adopter = this.getRootNode() as Document | ShadowRoot;
    this.#adopter.adoptedStyleSheets.push(this.sheet);
  }

  disconnectedCallback(): void {
    if (this.#adopter !== null)
      this.#adopter.adoptedStyleSheets = this.#adopter.adoptedStyleSheets.filter(
        (sheet) => sheet !== this.sheet,
      );
    this.#adopter = null;
  }
}
customElements.define("adopted-style", AdoptedStyle);

export function adoptedStyle(): AdoptedStyle {
  const style = new AdoptedStyle();
  style.hidden = true;
  return style;
}

/** Sets HTML whose styles stand in `data-style`. */
export function setHtml(element: HTMLElement, html: string): void {
  element.innerHTML = html;
  styleBelow(element);
}

/** Adds HTML whose styles stand in `data-style`. */
export function insertHtml(element: HTMLElement, where: InsertPosition, html: string): void {
  element.insertAdjacentHTML(where, html);
  styleBelow(element.parentElement ?? element);
}

function styleBelow(root: HTMLElement): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-style]")) {
    element.style.cssText = element.dataset["style"] ?? "";
    delete element.dataset["style"];
  }
}
