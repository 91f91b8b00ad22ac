// isa-parse --html: the page that the build put together of report/, with the report in it.

#include "Document.h"

#include "common/HtmlPage.h"

extern "C" {
// report/Page.S
extern const char rdnaReportPage[];
extern const char rdnaReportPageEnd[];
}

namespace rdna::isaparse {

std::string htmlPage(const Json &document) {
  return tool::pageWith(std::string(rdnaReportPage, rdnaReportPageEnd), document);
}

} // namespace rdna::isaparse
