package posthorn

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	// NextCursor is the cursor of the next page. It is empty on the last page.
	NextCursor string
}

// List reads the items of all pages. It requests a page only when you read its items.
type List[T any] struct {
	read func(ctx context.Context, cursor string) (*Page[T], error)
}

// All walks the items of all pages. It ends after the first error.
//
//	for delivery, err := range client.Deliveries.List().All(ctx) {
func (l *List[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range l.Pages(ctx) {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// Pages walks the pages. It ends after the first error.
func (l *List[T]) Pages(ctx context.Context) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		cursor := ""
		for {
			page, err := l.read(ctx, cursor)
			if !yield(page, err) || err != nil || page.NextCursor == "" {
				return
			}
			cursor = page.NextCursor
		}
	}
}

// Page reads one page: the first, or the page that the parameter Cursor names.
func (l *List[T]) Page(ctx context.Context) (*Page[T], error) {
	return l.read(ctx, "")
}

// Collect reads at most limit items. The limit is required because a list can have any number of items.
func (l *List[T]) Collect(ctx context.Context, limit int) ([]T, error) {
	items := []T{}
	if limit < 0 {
		return nil, optionError("limit", "must not be negative")
	}
	if limit == 0 {
		return items, nil
	}
	for item, err := range l.All(ctx) {
		if err != nil {
			return nil, err
		}
		if items = append(items, item); len(items) == limit {
			break
		}
	}
	return items, nil
}

// paging says how a list leads to its next page ("cursor", "link" or "page"), and which field of the answer has the
// items. items is empty if the answer itself is the array of items.
type paging struct {
	by, items string
}

// pageSize is the limit sent to lists that would otherwise return all items in one answer.
const pageSize = "100"

func newList[T any](t *transport, call call, options callSettings, by paging) *List[T] {
	read := func(ctx context.Context, cursor string) (*Page[T], error) {
		one := call
		one.change = func(query url.Values) {
			if by.by == "link" && !query.Has("limit") {
				query.Set("limit", pageSize)
			}
			if cursor != "" && by.by == "page" {
				query.Set("page", cursor)
			} else if cursor != "" {
				query.Set("cursor", cursor)
			}
		}
		page := &Page[T]{}
		err := t.send(ctx, one, options, func(header http.Header, body []byte) error {
			if err := page.fill(header, body, by); err != nil {
				return err
			}
			// Such a cursor would make the list endless.
			if cursor != "" && page.NextCursor == cursor {
				return errors.New("the answer leads to its own page again")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		return page, nil
	}
	return &List[T]{read}
}

func (p *Page[T]) fill(header http.Header, body []byte, by paging) error {
	if by.items == "" {
		p.NextCursor = cursorOfLink(header.Get("Link"))
		return p.fillItems(body)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return err
	}
	// An answer without the list comes from another server, and must not look like an empty list.
	items, found := fields[by.items]
	if !found {
		return errors.New("no list of items")
	}
	if err := p.fillItems(items); err != nil {
		return err
	}
	var lead struct {
		NextCursor            string
		Page, PageSize, Total int
	}
	if err := json.Unmarshal(body, &lead); err != nil {
		return err
	}
	p.NextCursor = lead.NextCursor
	if by.by == "page" && lead.Page*lead.PageSize < lead.Total {
		p.NextCursor = strconv.Itoa(lead.Page + 1)
	}
	return nil
}

// fillItems reads the items. It returns an error for null, which must not look like an empty list either.
func (p *Page[T]) fillItems(text []byte) error {
	if err := json.Unmarshal(text, &p.Items); err != nil {
		return err
	}
	if p.Items == nil {
		return errors.New("no list of items")
	}
	return nil
}

// cursorOfLink reads the cursor from a Link header such as `<…?cursor=…>; rel="next"`.
func cursorOfLink(link string) string {
	for _, one := range strings.Split(link, ",") {
		if !strings.Contains(one, `rel="next"`) {
			continue
		}
		_, query, _ := strings.Cut(one, "?")
		query, _, _ = strings.Cut(query, ">")
		if values, err := url.ParseQuery(query); err == nil {
			return values.Get("cursor")
		}
	}
	return ""
}
